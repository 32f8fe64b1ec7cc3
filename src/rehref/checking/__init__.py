"""Checking a folder as a site: what its pages define and refer to, where that leads, and what is broken.

What comes in is a folder and `CheckOptions`; what goes out is a `CheckResult` of findings. Nothing is fetched.
"""
