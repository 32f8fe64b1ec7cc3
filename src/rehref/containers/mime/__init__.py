"""MIME messages: MHTML archives and mail, read and put back by spans of their bytes.

`looks_like_mime` tells one from its beginning, `read` gives its documents, `rewrite` puts them back changed; `plan` and
`bodies` make files of the parts; `messages` tells those of an mbox apart.
"""

from rehref.containers.mime.headings import Buffer
from rehref.containers.mime.mbox import messages
from rehref.containers.mime.mhtml import read, rewrite
from rehref.containers.mime.recognition import looks_like_mime
from rehref.containers.mime.unpack import Body, Unpacked, bodies, plan

__all__ = ["Body", "Buffer", "Unpacked", "bodies", "looks_like_mime", "messages", "plan", "read", "rewrite"]
