/** A longer batch would save hardly more for each call, and hold up its first ones. */
const BATCH_MAX = 64;

type Call<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Makes one call of those that come together: the calls of one turn of the event loop, and those
 * that come while a batch is under way, are the next batch. `run` returns the results in the order
 * of the items, and does all of a batch or nothing. When a batch fails in a way that says that
 * nothing was done (`isUndone`), each of its calls is run by itself, so that one that can't be done
 * takes no other with it; else all of them fail.
 */
export function batchCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  isUndone: (error: unknown) => boolean,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await runBatch(batch);
    }
    isRunning = false;
  }

  async function runBatch(batch: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (batch.length > 1 && isUndone(error)) await Promise.all(batch.map((call) => runBatch([call])));
      else for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void runAll());
    });
}
