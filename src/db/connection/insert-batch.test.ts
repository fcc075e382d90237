import { expect, test } from 'vitest';
import { insertBatch } from './insert-batch.ts';

const rejectedBy = (code: string) => Object.assign(new Error('rejected'), { code });

/** A table that rejects the rows called `bad`, and is away from the moment that `away` comes. */
function table() {
  const kept: string[] = [];
  let statements = 0;
  const insert = async (rows: readonly string[]) => {
    statements++;
    if (rows.includes('away') && rows.length === 1) throw rejectedBy('57P01');
    if (rows.includes('bad')) throw rejectedBy('22P05');
    kept.push(...rows);
  };
  return { kept, insert, statements: () => statements };
}

test('a batch is one statement', async () => {
  const { insert, kept, statements } = table();
  expect(await insertBatch(['a', 'b', 'c'], insert)).toEqual({ dropped: 0, failure: undefined });
  expect([kept, statements()]).toEqual([['a', 'b', 'c'], 1]);
});

test('a row that the database rejects takes no other row with it, and the others keep their order', async () => {
  const { insert, kept } = table();
  expect(await insertBatch(['a', 'bad', 'b', 'bad', 'c'], insert)).toMatchObject({ dropped: 2 });
  expect(kept).toEqual(['a', 'b', 'c']);
});

test('a database that goes away in between is not asked for every row that is left', async () => {
  const { insert, kept, statements } = table();
  expect(await insertBatch(['a', 'bad', 'away', 'b', 'c'], insert)).toMatchObject({ dropped: 4 });
  expect([kept, statements()]).toEqual([['a'], 4]);
});

test('a database that is away is asked once', async () => {
  let statements = 0;
  const insert = async () => {
    statements++;
    throw new Error('Connection terminated');
  };
  expect(await insertBatch(['a', 'b'], insert)).toMatchObject({ dropped: 2 });
  expect(statements).toBe(1);
});
