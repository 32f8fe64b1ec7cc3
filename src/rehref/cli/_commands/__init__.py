"""The commands: a module for each, or a folder where a command has several parts.

A command takes the arguments of a command line, writes results to standard output and messages to standard error, and
ends with an exit code. To add one that nothing else needs, add a folder to
`rehref.plugins`.
"""
