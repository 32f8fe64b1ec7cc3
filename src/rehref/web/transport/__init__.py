"""Connections to servers: addresses of names, sockets that are kept, and HTTP/1.1 on them.

It knows no question and no redirect. `connections` opens it, `exchange` uses it for one request.
"""
