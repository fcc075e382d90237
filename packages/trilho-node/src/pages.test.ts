import { expect, test } from 'vitest';
import { Pages } from './pages.ts';

/** Three pages of two, one and no items; `asked` are the cursors. */
function listOf(from?: string) {
  const asked: (string | undefined)[] = [];
  const pages: Record<string, { items: number[]; nextCursor: string | null }> = {
    begin: { items: [1, 2], nextCursor: 'b' },
    b: { items: [3], nextCursor: 'c' },
    c: { items: [], nextCursor: null },
  };
  const read = async (cursor: string | undefined) => {
    asked.push(cursor);
    const page = pages[cursor ?? 'begin'];
    if (!page) throw new Error(`No page at ${cursor}.`);
    return { ...page, answer: { cursor } };
  };
  return { list: new Pages(read, from), asked };
}

test('a list gives the items of all its pages, each page asked for once', async () => {
  const { list, asked } = listOf();
  const items: number[] = [];
  for await (const item of list) items.push(item);
  expect(items).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, 'b', 'c']);
});

test('a list that is left by a break asks for no further page', async () => {
  const { list, asked } = listOf();
  for await (const item of list) if (item === 2) break;
  expect(asked).toEqual([undefined]);
});

test('a list can be read page by page, from a cursor, more than once, and its first page alone', async () => {
  const { list, asked } = listOf('b');
  const pages = [];
  for await (const { items } of list.pages()) pages.push(items);
  expect(pages).toEqual([[3], []]);
  expect(await list.first()).toEqual({ items: [3], nextCursor: 'c', answer: { cursor: 'b' } });
  expect(asked).toEqual(['b', 'c', 'b']);
});

test('a list asks for nothing until it is read', () => {
  expect(listOf().asked).toEqual([]);
});
