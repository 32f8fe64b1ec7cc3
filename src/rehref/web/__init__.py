"""Asking servers what there is at a URL: politely (few questions at a time to each host, no more than it allows) and
safely (no address that is not public, everything bounded, no credentials to another host).

In come questions (`model.Question`) and `options.WebOptions`; out come answers (`model.Answer`). What an answer means
for a link is decided in `rehref.checking`; no document is parsed here. Needs the extra `web`.
"""
