import { BUILD_HEADER } from '#contract/build-header.ts';

const listeners = new Set<() => void>();
let outdated = false;

/** Notes when an answer comes from a service whose pages are of another build than this one. */
export function noteBuild(answer: Response): void {
  const theirs = answer.headers.get(BUILD_HEADER);
  const { build } = document.documentElement.dataset;
  if (theirs && build && theirs !== build) noteOutdated();
}

/** Notes that a newer version has taken the place of this page's. */
export function noteOutdated(): void {
  if (outdated) return;
  outdated = true;
  for (const listener of listeners) listener();
}

/** Whether a newer version has taken the place of this page's. */
export const isOutdated = (): boolean => outdated;

/** Calls back once this page is outdated; returns the function that ends it. */
export function onOutdated(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
