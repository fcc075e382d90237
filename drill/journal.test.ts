import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isUnknown, openJournal } from './journal.ts';

test('the journal of a load keeps every request under its key, and every id that was acknowledged for it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-journal-'));
  const journal = openJournal(join(folder, 'journal.jsonl'));
  const request = { key: 'k1', kind: 'charge', accountId: 'a', centavos: 100 } as const;
  journal.asked(request);
  journal.answered({ key: 'k1', status: null, id: null });
  journal.asked(request);
  journal.answered({ key: 'k1', status: 200, id: 'one' });
  journal.asked(request);
  journal.answered({ key: 'k1', status: 200, id: 'two' });
  journal.asked({ ...request, key: 'k2' });
  journal.answered({ key: 'k2', status: 400, id: null });
  // The process was cut off: its last request is known all the same.
  journal.asked({ ...request, key: 'k3' });
  expect(journal.read()).toEqual([
    { ...request, requests: 3, ids: ['one', 'two'], isRejected: false },
    { ...request, key: 'k2', requests: 1, ids: [], isRejected: true },
    { ...request, key: 'k3', requests: 1, ids: [], isRejected: false },
  ]);
  rmSync(folder, { recursive: true });
});

test('the outcome of a request is unknown after no answer, 5xx, 408, 409 and 429, and known after any other answer', () => {
  expect([null, 500, 503, 409, 429, 408].map(isUnknown)).toEqual([true, true, true, true, true, true]);
  expect([200, 201, 400, 401, 404, 422].map(isUnknown)).toEqual([false, false, false, false, false, false]);
});
