"""An operation of the API, and the model of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ._model import Model

AnswerT = TypeVar("AnswerT", bound=Model)


@dataclass(frozen=True)
class Operation(Generic[AnswerT]):
    #: The method and path, as in the document: `POST /payments/transactions`.
    name: str
    #: What the whole answer is read as.
    answer: type[AnswerT]
