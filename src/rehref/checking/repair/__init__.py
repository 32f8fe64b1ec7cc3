"""What was meant by a reference that leads nowhere, and writing it into files.

A suggestion is a guess with a reason; a fix writes those that are sure, and changes nothing else.
In come findings, the files of the site, and the ids of its documents.
"""
