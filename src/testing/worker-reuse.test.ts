import { expect, test } from 'vitest';

// One worker a file takes three times the processor: each imports the whole service again.
test('a worker runs many files, and imports what they share once', () => {
  expect(globalThis).toMatchObject({ __vitest_worker__: { config: { isolate: false } } });
});
