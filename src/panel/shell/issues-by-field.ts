import type { FieldIssue, Issue } from '#domain/errors/issues.ts';

/** The first issue of each field. */
export const issuesByField = (issues: readonly FieldIssue[]): Record<string, Issue> =>
  Object.fromEntries([...issues].reverse().map(({ field, ...issue }) => [field, issue]));
