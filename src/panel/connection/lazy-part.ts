import { type ComponentType, lazy } from 'react';
import { connection } from './connection.ts';
import { noteOutdated } from './outdated.ts';

/** Once while the service may have been away, and once when it is there. */
const TRIES_MAX = 2;

/**
 * A component of a module whose code comes when it is needed. While the service is away it is
 * waited for; where the service is there but the code is not, a newer version has taken its place,
 * and the page says so.
 */
export function lazyPart<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazy(async () => ({ default: (await loadPart(load))[name] as PartOf<Module[Name]> }));
}

// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` has it.
type PartOf<Part> = Part extends ComponentType<any> ? Part : never;

/**
 * The same for code that is no component. Never resolves once it is gone: only a reload helps then.
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
 * Whether code, or a page's parts, did not arrive: the bundler's error, Next's when its stream
 * breaks off, and the browsers'.
 */
export const isLoadError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' ||
    error.message === 'Connection closed.' ||
    (error instanceof TypeError && /^(Failed to fetch|Load failed|Network ?error)/i.test(error.message)));
