"""What is found: a finding, and a row for one that is at many places of a document.

Checks make rows, and all that judges findings passes them on. A report that needs findings makes them of rows.
"""
