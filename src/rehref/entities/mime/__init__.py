"""MIME messages: MHTML archives and mail, read and put back by spans of their bytes.

`looks_like_mime` tells one from its beginning, `read` gives its documents, `rewrite` puts them back changed; `plan` and
`bodies` make files of the parts; `messages` tells those of an mbox apart.
"""

from rehref.entities.mime.headings import Buffer
from rehref.entities.mime.mbox import messages
from rehref.entities.mime.mhtml import read, rewrite
from rehref.entities.mime.recognition import looks_like_mime
from rehref.entities.mime.unpack import Body, Unpacked, bodies, plan

__all__ = ["Body", "Buffer", "Unpacked", "bodies", "looks_like_mime", "messages", "plan", "read", "rewrite"]
