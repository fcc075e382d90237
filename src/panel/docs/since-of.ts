import { API_CHANGES } from '#contract/api-changes.ts';

/** The day on which an operation came: 2026-11-20. That each has one is tested with the list. */
export const sinceOf = (operationId: string): string =>
  API_CHANGES.find((change) => 'operations' in change && (change.operations as readonly string[]).includes(operationId))
    ?.date ?? '';
