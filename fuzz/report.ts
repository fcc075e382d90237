import { type FuzzFailure, type FuzzResult, MEMORY_GROWTH_MAX, mebibytes } from './run-fuzz.ts';

/**
 * Describes a failure: what went wrong, the smallest request that was found to cause it, and how to
 * repeat it.
 */
export const describeFailure = ({ operation, what, request, repeat }: FuzzFailure): string =>
  [
    `BROKEN ${operation}: ${what}`,
    ...[request, repeat].filter((line) => line !== '').map((line) => `       ${line}`),
  ].join('\n');

/** Reports what was sent, and the results. */
export function reportFuzz(result: FuzzResult, seed: number): string {
  const { requests, kinds, statuses, memory, failures, neverAccepted } = result;
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return [
    ...failures.map(describeFailure),
    `requests: ${requests.rest} over REST, ${requests.panel} to the panel's procedures, ${requests.console} to the console's, ${result.shrinking} to make failures smaller`,
    `kinds: ${Object.entries(kinds)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}`,
    `statuses: ${counts.join(', ')}; cut off without an answer: ${result.unanswered}`,
    `documented 503 with Retry-After: ${result.unavailable}`,
    `never accepted: ${neverAccepted.join(', ') || 'none'}`,
    ...(memory
      ? [
          `heap after a collection: ${mebibytes(memory.early.used)} after a fifth, ${mebibytes(memory.late.used)} at the end: × ${(memory.late.used / memory.early.used).toFixed(3)}, at most × ${MEMORY_GROWTH_MAX}`,
          `resident: ${mebibytes(memory.early.resident)}, then ${mebibytes(memory.late.resident)}`,
        ]
      : []),
    `${failures.length} broken, seed ${seed}`,
  ].join('\n');
}
