/**
 * SQLSTATE classes that say that a value is not acceptable: data exception, integrity violation,
 * limit exceeded.
 */
const OF_THE_VALUES = /^(22|23|54)/;

/**
 * Writes rows in one statement; where the database rejects it for what one of them holds, each by
 * itself, so that one row never takes the others with it. When the database is away, it is not
 * asked again. Returns how many rows were not written, and the error. Never throws.
 */
export async function insertBatch<T>(
  rows: readonly T[],
  insert: (rows: readonly T[]) => Promise<void>,
): Promise<{ dropped: number; failure: unknown }> {
  try {
    await insert(rows);
    return { dropped: 0, failure: undefined };
  } catch (failure) {
    if (rows.length === 1 || !isOfTheValues(failure)) return { dropped: rows.length, failure };
    let dropped = 0;
    for (const [index, row] of rows.entries()) {
      try {
        await insert([row]);
      } catch (error) {
        if (!isOfTheValues(error)) return { dropped: dropped + rows.length - index, failure: error };
        dropped++;
      }
    }
    return { dropped, failure };
  }
}

const isOfTheValues = (error: unknown): boolean => OF_THE_VALUES.test((error as { code?: string } | null)?.code ?? '');
