"""Suggestions for broken references, fixes, and redirects.

A suggestion is a guess with a reason. A fix writes the suggestions that are certain into the files, and changes nothing
else. The folder's input is findings, the files of the site, and the ids of its documents. What has moved gets redirects
in the file of a host.
"""
