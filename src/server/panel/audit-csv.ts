import type { AuditChange } from '#domain/audit/audit-changes.ts';
import type { CsvFormat } from '#domain/reports/csv.ts';

/** Rows of one query, and of one piece of the file. */
const CHUNK = 500;

type Page<Row> = { entries: readonly Row[]; next: bigint | null };

type List<Row> = (page: { before: bigint | null; limit: number }) => Promise<Page<Row>>;

/** Yields everything that a search of the audit finds, newest first, in the chunks of a file. */
export async function* auditChunks<Row>(list: List<Row>): AsyncGenerator<readonly Row[]> {
  for (let before: bigint | null = null; ; ) {
    const page: Page<Row> = await list({ before, limit: CHUNK });
    yield page.entries;
    if (page.next === null) return;
    before = page.next;
  }
}

/** `role: viewer → owner; topic: deposit` */
export const changesText = (changes: readonly AuditChange[]): string | null =>
  changes
    .map(({ name, before, after }) => `${name}: ${before === null ? '' : `${before} → `}${after ?? '-'}`)
    .join('; ') || null;

/** The text of an action, for people; the `iso` format is for programs, and has its name. */
export const actionText = (
  action: string,
  format: CsvFormat,
  texts: Readonly<Record<string, string>> & { other: string },
): string => (format === 'iso' ? action : (texts[action.replaceAll('.', '_')] ?? texts.other));
