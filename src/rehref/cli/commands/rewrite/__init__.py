"""`rehref rewrite`: documents with other references, and nothing else changed.

The command, and what only it needs: which rule was asked for, where results go, what is said at the end; a mirrored
folder (`--to offline`), an archive's index (`--cdx`), an archive as a folder of files (`--unpack`).
"""
