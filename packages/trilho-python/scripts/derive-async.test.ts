import { expect, test } from 'vitest';
import { deriveAsync } from './derive-async.ts';

const SYNCHRONOUS = `"""Operations."""

from .._generated import operations as api
from .._generated.models import Thing
from .._pages import Page, Pages
from .._transport import SyncTransport


class Things(Resource):
    """Things of every kind."""

    def __init__(self, transport: SyncTransport, others: Others) -> None:
        self._transactions = others

    def list(
        self, params: Query
    ) -> Pages[Thing, Answer]:
        """All: \`for\` gives them."""

        def read(cursor: Cursor) -> Page[Thing, Answer]:
            answer = self._transport.request(api.LIST, cursor)
            return Page(answer.data)

        return Pages(read)

    def get(self) -> Thing:
        return self._transactions.get()
`;

test('a derived method awaits an answer, and one that only begins a list does not', () => {
  expect(deriveAsync(SYNCHRONOUS)).toBe(`# Generated from the same file of _resources when the library is built.

from .. import operations as api
from ..models import Thing
from ..._pages import Page, AsyncPages
from ..._transport import AsyncTransport


class AsyncThings(AsyncResource):
    """Things of every kind."""

    def __init__(self, transport: AsyncTransport, others: Others) -> None:
        self._transactions = others

    def list(
        self, params: Query
    ) -> AsyncPages[Thing, Answer]:
        """All: \`async for\` gives them."""

        async def read(cursor: Cursor) -> Page[Thing, Answer]:
            answer = await self._transport.request(api.LIST, cursor)
            return Page(answer.data)

        return AsyncPages(read)

    async def get(self) -> Thing:
        return await self._transactions.get()
`);
});
