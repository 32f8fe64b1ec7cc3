"""Links to other sites (`--external`): which URLs to ask about, and what the answers mean for a link.

`rehref.web` sends the requests and knows nothing about links. This folder turns its answers into verdicts and
findings.
"""
