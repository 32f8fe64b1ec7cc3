"""HTTP requests to other servers (extra `web`): few at a time for each host, all bounded.

No request goes to an address that is not public, and no credentials go to another host. This package takes questions
(`answers.Question`) and `asking_options.WebOptions`, and returns answers (`answers.Answer`). It does not parse
documents; `rehref.site` decides what an answer means for a link.
"""
