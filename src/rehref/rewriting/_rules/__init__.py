"""How the built-in rules write references: a module for each, loaded for the first document that it is asked about.

They know nothing about bytes, markup or files. `built_in_rules.py` has the rules themselves, with their options.
"""
