"""What answers and events are read as."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ModelWrapValidatorHandler

#: Members that a log must not have.
_SECRET = re.compile(r"(^|_)(api_key|secret|secret_key|token|password)$")


class Model(BaseModel):
    """
    Members that are newer than this library pass, under their own names. So does a value that is
    not of its type, as it came: the money has moved, and an answer that can't be read would hide
    it. What is missing is no attribute. Secrets are not printed.
    """

    model_config = ConfigDict(extra="allow", defer_build=True, protected_namespaces=())

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError:
            if not isinstance(data, dict):
                raise
            members = {name: cls._read_member(name, value) for name, value in data.items()}
            return cls.model_construct(set(members), **members)

    @classmethod
    def _read_member(cls, name: str, value: object) -> Any:
        field = cls.model_fields.get(name)
        if field is None or field.annotation is None:
            return value
        try:
            return TypeAdapter(field.annotation).validate_python(value)
        except ValidationError:
            return value

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            yield name, "…" if name and value is not None and _SECRET.search(name) else value


ModelT = TypeVar("ModelT", bound=Model)


def read_list(model: type[ModelT], value: object) -> list[ModelT]:
    """The objects of a list; none where it is no list."""
    items = value if isinstance(value, list) else []
    return [model.model_validate(item) for item in items if isinstance(item, dict)]
