"""The link checker: it reads a folder as a site, and finds what is broken in it.

It takes a folder and `CheckOptions`, and returns a `CheckResult` with findings. It asks servers only on request
(`remote/`, `external/`). `api.py` is the entrance, `run.py` the order of the steps; each subfolder is one step.
"""
