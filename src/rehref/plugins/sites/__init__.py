"""Plugins for programs that build sites: MkDocs and Sphinx.

A plugin checks the built site, and reports a finding at the line of the source file that caused it. Each program has a
module of its own, which is the only one that imports the program (`_doctrees` imports Sphinx too).
"""
