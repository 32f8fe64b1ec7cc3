"""Parser cores: markup in, places out, and edits of places back into the markup.

What comes in is a `Source` and the names that are wanted; a core knows no base and no reference. `contract.py` says
what a core is, `registry.py` which there are; a new one is a module here or in another package.
"""
