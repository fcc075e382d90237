import { ANSWER_WITHIN_MS, type LoadAnswer } from './load.ts';

/** How requests were answered while there was more load than the service had resources for. */
export type AnswerCounts = {
  served: number;
  /** With a time to retry. */
  shed: number;
  /** The connection was closed at once, without an answer. */
  cut: number;
  slowestMs: number;
  /** Other answers, each with its number: none of them may be. */
  wrong: Map<string, number>;
};

export const emptyCounts = (): AnswerCounts => ({ served: 0, shed: 0, cut: 0, slowestMs: 0, wrong: new Map() });

/** A page instead of JSON. */
const PAGE = /^\s*</;

export function countAnswer(counts: AnswerCounts, { status, hasRetryAfter, reason, ms }: LoadAnswer): void {
  counts.slowestMs = Math.max(counts.slowestMs, ms);
  const wrong = (what: string) => void counts.wrong.set(what, (counts.wrong.get(what) ?? 0) + 1);
  if (status === null) {
    if (ms >= ANSWER_WITHIN_MS) wrong('no answer in time');
    else counts.cut++;
  } else if (PAGE.test(reason)) wrong(`a page with ${status}`);
  else if (status === 503 || status === 429) {
    if (hasRetryAfter) counts.shed++;
    else wrong(`${status} without Retry-After`);
  } else if (status >= 500) wrong(`${status}: ${reason}`);
  else counts.served++;
}
