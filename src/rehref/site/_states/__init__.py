"""What a state of a site needs: what identifies its pages, and redirects to it.

The modules read pages for their title, text and ids, and merge redirects into the file of a host. `rehref.site.states`
puts the state together.
"""
