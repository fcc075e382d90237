import type { FieldIssue, Issue } from '#domain/errors/issues.ts';

/**
 * Returns the first issue of each field, in the order of the issues, so that a form begins at the
 * first.
 */
export function issuesByField(issues: readonly FieldIssue[]): Record<string, Issue> {
  const first: Record<string, Issue> = {};
  for (const { field, ...issue } of issues) first[field] ??= issue;
  return first;
}
