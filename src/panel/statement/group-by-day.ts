import type { StatementPageView } from '#contract/reports/statement.ts';

export type StatementEntryView = StatementPageView['entries'][number];

/** A day's entries, newest first, and the balance after its last one. */
export type StatementDay = { day: string; closing: number; entries: StatementEntryView[] };

/** Entries by the day that they count on, in the order in which they come: newest first. */
export function groupByDay(entries: readonly StatementEntryView[]): StatementDay[] {
  const days: StatementDay[] = [];
  for (const entry of entries) {
    const last = days.at(-1);
    if (last?.day === entry.day) last.entries.push(entry);
    else days.push({ day: entry.day, closing: entry.balance_after, entries: [entry] });
  }
  return days;
}
