"""Zip files that hold documents: EPUB and WACZ; read safely, and written back with the rest copied byte for byte."""
