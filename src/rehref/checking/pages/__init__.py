"""The pages of a site as the checker reads them: ids, references, targets, and a verdict on each target.

What a page contains becomes small tables, which worker processes send back and the first process merges. The folder
takes documents from `rehref.documents`, and asks `site/` which file a target leads to.
"""
