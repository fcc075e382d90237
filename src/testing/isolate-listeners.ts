import type { EventEmitter } from 'node:events';
import { afterEach, beforeEach } from 'vitest';

/**
 * Takes the listeners of these events of the process away while a file makes them happen, and puts
 * them back: one process runs many files, and some modules listen as soon as they are imported.
 */
export function isolateListeners(names: readonly string[]): void {
  const events: EventEmitter = process;
  let others: [name: string, listeners: ReturnType<EventEmitter['listeners']>][] = [];
  beforeEach(() => {
    others = names.map((name) => [name, events.rawListeners(name)]);
    for (const name of names) events.removeAllListeners(name);
  });
  afterEach(() => {
    for (const [name, listeners] of others) {
      events.removeAllListeners(name);
      for (const listener of listeners) events.on(name, listener as (...args: unknown[]) => void);
    }
  });
}
