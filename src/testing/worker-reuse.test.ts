import { expect, test } from 'vitest';

// A worker for each file takes three times the processor time: each imports the whole service
// again.
test('a worker runs many files, and imports what they share once', () => {
  expect(globalThis).toMatchObject({ __vitest_worker__: { config: { isolate: false } } });
});
