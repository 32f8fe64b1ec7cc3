"""Micro-syntaxes: how references are written in a value, such as a `srcset`, a style sheet, the `content` of a refresh.

Each is a pure function of a text: it returns the references with their spans, and writes new ones in their place. Which
places have a value in which micro-syntax is known elsewhere (`documents/_carriers`). To add one, add a module, and
a row to `syntaxes.py`. Beside them are the dialects of Markdown: what is written in each.
"""
