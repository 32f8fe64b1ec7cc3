"""Lists the hosts from which the pages of a web archive load resources, record by record, in constant memory.

`iter_links` reads a WARC of any size as it goes; `on_diagnostic` gets what cannot be read of it.
"""

from collections import Counter
from pathlib import Path

import rehref

ARCHIVE = Path(__file__).parents[1] / "fixtures" / "containers" / "pages.warc.gz"

unread: list[rehref.Diagnostic] = []
hosts = Counter[str]()
pages = set()
for link in rehref.iter_links(ARCHIVE, on_diagnostic=unread.append):
    pages.add(link.part)
    parts = rehref.split(link.target or "")
    if link.kind == "resource" and parts.authority is not None:
        hosts[rehref.split_authority(parts.authority).host] += 1
for host, count in hosts.most_common():
    print(f"{count:>4}  {host}")
print(f"{len(pages)} pages; {len(unread)} records could not be read")
