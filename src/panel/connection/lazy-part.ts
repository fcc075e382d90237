import { type ComponentType, lazy } from 'react';
import { connection } from './connection.ts';
import { noteOutdated } from './outdated.ts';

/** One try while the service may have been away, and one when it is there. */
const TRIES_MAX = 2;

/**
 * A component whose code is loaded when it is needed. It waits for a service that is away; where
 * the service is there but the code is not, a newer version has taken its place, and the page says
 * so.
 */
export function lazyPart<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazy(async () => ({ default: (await loadPart(load))[name] as PartOf<Module[Name]> }));
}

// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` has it.
type PartOf<Part> = Part extends ComponentType<any> ? Part : never;

/**
 * Loads code that is no component in the same way. Never resolves once the code is gone, because
 * only a reload helps then. Throws any error that is not a failed load.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      if (!isLoadError(error)) throw error;
    }
    await connection.check();
    if (tries === TRIES_MAX) {
      noteOutdated();
      return new Promise(() => {});
    }
  }
}

/**
 * Whether an error means that code, or parts of a page, did not arrive: the bundler's error, Next's
 * when its stream breaks off, and those of browsers.
 */
export const isLoadError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' ||
    error.message === 'Connection closed.' ||
    (error instanceof TypeError && /^(Failed to fetch|Load failed|Network ?error)/i.test(error.message)));
