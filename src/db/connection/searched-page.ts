/**
 * A row that a search has found, with how many rows the search has read and the last one of them:
 * `found.*` of a LEFT JOIN, whose fields are all null where nothing that was read matches.
 */
export type SearchedRow<Row, Id> = { scanned: number; last: Id | null } & { [Field in keyof Row]: Row[Field] | null };

/** Returns what a search has found, apart from how far it has read. */
export function searchedPage<Row extends { id: unknown }, Id>(
  rows: readonly SearchedRow<Row, Id>[],
): { found: Row[]; scanned: number; last: Id | null } {
  const matching = rows.filter(({ id }) => id !== null);
  const found = matching.map(({ scanned: _, last: __, ...row }) => row as unknown as Row);
  return { found, scanned: rows[0]?.scanned ?? 0, last: rows[0]?.last ?? null };
}
