import type { ErrorAnswer } from './reference.ts';

/** Groups the codes of an operation's errors by status, each code once. */
export function codesByStatus(errors: readonly ErrorAnswer[]): Map<number, string[]> {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  return new Map([...byStatus].map(([status, found]) => [status, [...new Set(found.map(({ body }) => body.code))]]));
}
