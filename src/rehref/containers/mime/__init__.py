"""MIME messages: MHTML archives and mail, read and put back by spans of their bytes.

`looks_like_mime` tells one from its beginning, `read` gives its documents, `rewrite` puts them back changed; `messages`
tells those of an mbox apart.
"""

from rehref.containers.mime.header_fields import Buffer
from rehref.containers.mime.mbox import messages
from rehref.containers.mime.message import read, rewrite
from rehref.containers.mime.recognition import looks_like_mime

__all__ = ["Buffer", "looks_like_mime", "messages", "read", "rewrite"]
