"""Everything that can be wrong before something is sent is found here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID, uuid4

from ._json import encode_json, encode_text
from ._version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: As the service takes it.
_IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,255}")
#: UUIDs and the ids of events. An empty one, or `..`, would name another address.
_PATH_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
#: Of a transaction, a dispute or an event.
Id = str | UUID
_PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class PreparedRequest:
    """A request that can be sent any number of times. `key` is None for what is no POST."""

    #: The method and path, as in the document.
    operation: str
    method: str
    url: str
    #: Without the API's key, which is added when it is sent.
    headers: Mapping[str, str]
    content: bytes | None
    key: str | None


@dataclass(frozen=True)
class RequestInput:
    """What goes into a request: the values of the path's parameters in their order, and so on."""

    ids: Sequence[Id] = ()
    query: Mapping[str, object] | None = None
    body: Mapping[str, object] | None = None


def prepare_request(
    base_url: str, operation: str, given: RequestInput, given_key: str | None
) -> PreparedRequest:
    """Raises ValueError for an id, a key or a number that can't be one, TypeError for no JSON."""
    method, _, template = operation.partition(" ")
    key = (str(uuid4()) if given_key is None else given_key) if method == "POST" else None
    if key is not None and not (isinstance(key, str) and _IDEMPOTENCY_KEY.fullmatch(key)):
        raise ValueError("An idempotency key is 1 to 255 visible ASCII characters, without blanks.")
    headers = {"accept": "application/json", "user-agent": f"trilho-python/{__version__}"}
    if key is not None:
        headers["idempotency-key"] = key
    content = None if given.body is None else encode_json(given.body).encode()
    if content is not None:
        headers["content-type"] = "application/json"
    url = f"{base_url}{_fill_path(template, given.ids)}{_query_string(given.query or {})}"
    return PreparedRequest(operation, method, url, headers, content, key)


def _fill_path(template: str, ids: Sequence[Id]) -> str:
    remaining = iter(ids)

    def fill(parameter: re.Match[str]) -> str:
        value = next(remaining, "")
        text = str(value) if isinstance(value, UUID) else value
        if not (isinstance(text, str) and _PATH_ID.fullmatch(text)):
            raise ValueError(f"{parameter[1]} is not an id: {value!r}")
        return text

    return _PARAMETER.sub(fill, template)


def _query_string(query: Mapping[str, object]) -> str:
    """Lists are separated by commas, as the document says."""
    given = [(name, encode_text(value, name)) for name, value in query.items() if value is not None]
    return f"?{urlencode(given)}" if given else ""
