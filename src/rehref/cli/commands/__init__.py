"""The commands: a folder for each that has parts, a module for the others (rows in `cli/program.py`).

What comes in are the words of a command line; what goes out are results on standard output, messages on standard
error, and an exit code.
"""
