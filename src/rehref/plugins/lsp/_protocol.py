"""The protocol where pygls does not follow it (LSP 3.17, "Base Protocol" and "Lifecycle")."""

from __future__ import annotations

import logging
from typing import Any, Final

from lsprotocol import types as lsp
from pygls import exceptions
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

logging.getLogger("pygls").setLevel(logging.CRITICAL)  # as `EditorServer` says
_EARLY: Final = (lsp.INITIALIZE, lsp.SHUTDOWN)


class Protocol(LanguageServerProtocol):
    """Reads messages, and handles those that can be.

    `exit_code`: that of the server, 1 for `exit` without `shutdown`.
    """

    exit_code = 0

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message, or an object in one. If it cannot be read, the error takes the place of its `params`."""
        try:
            return super().structure_message(data)
        except exceptions.JsonRpcException:
            method = str(data.get("method"))
            is_known = method in {*self.fm.features, *self.fm.builtin_features}
            error = exceptions.JsonRpcInvalidParams() if is_known else exceptions.JsonRpcMethodNotFound.of(method)
            if "id" in data:
                return JsonRPCRequestMessage(data["id"], method, self.VERSION, error)
            return JsonRPCNotification(method, self.VERSION, error)

    def handle_message(self, message: Any) -> None:
        """Handle a message, or answer with an error: one that cannot be read, before `initialize` or after `shutdown`.

        Every request has an answer; such notifications are dropped.
        """
        method, id = getattr(message, "method", None), getattr(message, "id", "")
        if not hasattr(message, "jsonrpc") or not isinstance(id, int | str):
            self.refuse(None, exceptions.JsonRpcInvalidRequest())
            return
        error = getattr(message, "params", None)
        if method is None:
            error = None  # an answer
        elif method == lsp.EXIT:
            self.exit_code = 0 if self._shutdown else 1
        elif self._shutdown or (method == lsp.INITIALIZE and self._workspace is not None):
            error = exceptions.JsonRpcInvalidRequest()
        elif self._workspace is None and method not in _EARLY:
            error = exceptions.JsonRpcServerNotInitialized()
        if not isinstance(error, exceptions.JsonRpcException):
            super().handle_message(message)
        elif hasattr(message, "id"):
            self.refuse(id, error)

    def refuse(self, id: int | str | None, error: exceptions.JsonRpcException) -> None:
        """Answer a request with an error."""
        content = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": id, "error": content})


class EditorServer(LanguageServer):
    """A server that shows no errors to people: what is wrong with a message is said in the answer to it."""

    protocol: Protocol

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer what is not JSON; `source` does not matter. Whatever else fails has its answer."""
        if isinstance(error, ValueError | RecursionError):
            self.protocol.refuse(None, exceptions.JsonRpcParseError())
