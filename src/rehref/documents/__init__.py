"""Documents: which places of a media type carry references, and what each resolves to."""
