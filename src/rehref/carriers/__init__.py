"""Carriers: which attributes and texts carry references, and the micro-syntaxes they are written in."""
