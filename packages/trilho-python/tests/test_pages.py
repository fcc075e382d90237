from __future__ import annotations

import asyncio

from trilho._pages import AsyncPages, Cursor, Page, Pages

#: Three pages of two, one and no items.
PAGES: dict[Cursor, tuple[list[int], str | None]] = {
    None: ([1, 2], "b"),
    "b": ([3], "c"),
    "c": ([], None),
}


class Listed:
    """A list that keeps the cursors that it was asked for."""

    def __init__(self) -> None:
        self.asked: list[Cursor] = []

    def read(self, cursor: Cursor) -> Page[int, Cursor]:
        self.asked.append(cursor)
        items, next_cursor = PAGES[cursor]
        return Page(list(items), next_cursor, cursor)

    async def read_async(self, cursor: Cursor) -> Page[int, Cursor]:
        return self.read(cursor)


def test_a_list_gives_the_items_of_all_its_pages_each_page_asked_for_once() -> None:
    listed = Listed()
    assert list(Pages(listed.read)) == [1, 2, 3]
    assert listed.asked == [None, "b", "c"]


def test_a_list_that_is_left_asks_for_no_more() -> None:
    listed = Listed()
    for item in Pages(listed.read):
        if item == 2:
            break
    assert listed.asked == [None]


def test_a_list_can_be_read_by_pages_its_first_alone_from_a_cursor_and_again() -> None:
    listed = Listed()
    pages = Pages(listed.read, "b")
    assert listed.asked == []
    assert [page.items for page in pages.pages()] == [[3], []]
    assert pages.first() == Page([3], "c", "b")
    assert listed.asked == ["b", "c", "b"]


def test_an_asynchronous_list_does_the_same() -> None:
    async def read() -> None:
        listed = Listed()
        pages = AsyncPages(listed.read_async)
        assert listed.asked == []
        assert [item async for item in pages] == [1, 2, 3]
        assert listed.asked == [None, "b", "c"]
        assert [page.items async for page in pages.pages()] == [[1, 2], [3], []]
        assert await AsyncPages(listed.read_async, "b").first() == Page([3], "c", "b")
        async for item in pages:
            if item == 2:
                break
        assert listed.asked[-2:] == ["b", None]

    asyncio.run(read())
