"""Check a site before it is published: each mistake once, with a suggestion, and where it is.

This is what `rehref check` prints, as values: a build can decide for itself what to do about them.
"""

from pathlib import Path

import rehref

SITE = Path(__file__).parent / "site"

result = rehref.check(SITE, site_url="https://kites.example/kites/", lists_external=True)
for finding in result.findings:
    meant = f" (perhaps {finding.suggestion})" if finding.suggestion else ""
    print(f"{finding.document}:{finding.line}:{finding.column}: {finding.code}: {finding.reference}{meant}")
print(f"{result.summary.links} links in {result.summary.documents} documents, {result.summary.broken} broken")
print("Not asked about, on other sites:", *sorted({link.url for link in result.external}))
