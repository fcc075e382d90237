import { BUILD_HEADER } from '#contract/build-header.ts';

const listeners = new Set<() => void>();
let outdated = false;

/** An answer from a service whose pages are of another build than this one. */
export function noteBuild(answer: Response): void {
  const theirs = answer.headers.get(BUILD_HEADER);
  const { build } = document.documentElement.dataset;
  if (theirs && build && theirs !== build) noteOutdated();
}

/** This page's version is gone from the service: a newer one has taken its place. */
export function noteOutdated(): void {
  if (outdated) return;
  outdated = true;
  for (const listener of listeners) listener();
}

export const isOutdated = (): boolean => outdated;

export function onOutdated(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
