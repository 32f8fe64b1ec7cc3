"""What a state of a site needs: what identifies its pages, and the contract that promises it.

The modules read pages for their title, text and ids, and keep what a state has in a file. `rehref.site.states` puts the
state together.
"""
