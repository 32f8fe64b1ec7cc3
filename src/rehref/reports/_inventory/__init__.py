"""The inventory page (`rehref links --format html`): the references of all documents, summed up and drawn.

`facts` describes one document, `totals` all of them; `grouping` and `picture` draw which documents link where;
`marked_source` shows a document's source. `rehref.reports._links.links_html` is the format that uses them.
"""
