"""Files, folders and processes of this machine.

The modules find, name and read files, write them so that they are whole and stay inside the folder that the user named,
and run work in a pool of processes. They take paths and know nothing about documents.
"""
