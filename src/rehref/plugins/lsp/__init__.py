"""A language server (`rehref lsp`): what is wrong with the references of a text, while somebody writes it.

The input is the messages of an editor, the output findings, places and edits. Only this room imports `pygls`.
"""
