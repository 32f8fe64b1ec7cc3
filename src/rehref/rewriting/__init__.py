"""Rewriting: rules say what a reference becomes, edits say where and how it is written."""
