import { API_CHANGES } from '#contract/api-changes.ts';

/**
 * Returns the day on which an operation was added: 2026-11-20. The test of the list checks that
 * each has one.
 */
export const sinceOf = (operationId: string): string =>
  API_CHANGES.find((change) => 'operations' in change && (change.operations as readonly string[]).includes(operationId))
    ?.date ?? '';
