"""The commands: one module for each (a row in `cli/program.py`), and beside it what only that command needs.

What comes in are the words of a command line; what goes out are results on standard output, messages on standard
error, and an exit code.
"""
