import fc from 'fast-check';

/**
 * A failing run is shortened for no longer than this, so that its seed is printed before the test's
 * own limit.
 */
const SEARCH_MS = 60_000;

type Arbitraries<Values extends unknown[]> = { [Index in keyof Values]: fc.Arbitrary<Values[Index]> };

/**
 * `fc.assert` of a property that changes a database. No run is interrupted: with fast-check's own
 * time limit a run that it interrupts goes on beside the next test, on a machine that is slow
 * enough.
 */
export async function assertProperty<Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  run: (...values: Values) => Promise<void>,
  parameters: fc.Parameters<Values>,
  searchMs: number = SEARCH_MS,
): Promise<void> {
  let failedAt: number | null = null;
  const bounded = async (...values: Values) => {
    fc.pre(failedAt === null || performance.now() - failedAt < searchMs);
    try {
      await run(...values);
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  };
  await fc.assert(fc.asyncProperty<Values>(...arbitraries, bounded), parameters);
}
