"""Lists, read as they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

#: Where a page begins; None for the first one.
Cursor = UUID | str | None
ItemT = TypeVar("ItemT")
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Page(Generic[ItemT, AnswerT]):
    """One page of a list."""

    items: list[ItemT]
    #: Where the next page begins; None for the last one.
    next_cursor: str | None
    #: The whole answer, with what it says beside the items.
    answer: AnswerT


class Pages(Generic[ItemT, AnswerT]):
    """
    A list: `for` gives its items over all pages, `pages()` its pages, `first()` the first page
    alone. Nothing is asked for before.
    """

    def __init__(
        self, read: Callable[[Cursor], Page[ItemT, AnswerT]], begin: Cursor = None
    ) -> None:
        """`read` asks for the page at a cursor; the list begins at `begin`."""
        self._read = read
        self._begin = begin

    def first(self) -> Page[ItemT, AnswerT]:
        """The first page alone."""
        return self._read(self._begin)

    def pages(self) -> Iterator[Page[ItemT, AnswerT]]:
        """The pages, one after the other."""
        page = self._read(self._begin)
        yield page
        while page.next_cursor is not None:
            page = self._read(page.next_cursor)
            yield page

    def __iter__(self) -> Iterator[ItemT]:
        """The items of all pages. A `break` ends it without asking for more."""
        for page in self.pages():
            yield from page.items


class AsyncPages(Generic[ItemT, AnswerT]):
    """The same with `async for`, `await list.first()`."""

    def __init__(
        self,
        read: Callable[[Cursor], Awaitable[Page[ItemT, AnswerT]]],
        begin: Cursor = None,
    ) -> None:
        """`read` asks for the page at a cursor; the list begins at `begin`."""
        self._read = read
        self._begin = begin

    async def first(self) -> Page[ItemT, AnswerT]:
        """The first page alone."""
        return await self._read(self._begin)

    async def pages(self) -> AsyncIterator[Page[ItemT, AnswerT]]:
        """The pages, one after the other."""
        page = await self._read(self._begin)
        yield page
        while page.next_cursor is not None:
            page = await self._read(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        """The items of all pages. A `break` ends it without asking for more."""
        async for page in self.pages():
            for item in page.items:
                yield item
