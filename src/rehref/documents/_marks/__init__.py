"""Marks: what a document says of where it is from, and of what in it is relative, for those who ask for it."""
