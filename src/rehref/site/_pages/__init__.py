"""The pages of a site as the checker reads them: ids, references, targets, and a verdict on each target.

The content of a page becomes small tables, which worker processes send back and the first process merges. Documents
come from `rehref.documents`; `_grounds/` says which file a target leads to.
"""
