import type { TestDatabase } from '#db/testing/test-server.ts';
import { seededRandom } from '#domain/values/seeded-random.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../src/testing/test-service.ts';

/** The outcome of one attack of a subject. */
export type AttackResult = {
  subject: string;
  attack: string;
  tried: number;
  /** The requests that got through, each with what went wrong. */
  broken: string[];
};

/** Counts a request: `failure` says what went wrong, null that the service held. */
export type Tally = (request: string, failure: string | null) => void;

/** What a subject works with. */
export type Arena = {
  /** A service on a database of its own; it stops when the subject ends. */
  start(options?: Omit<TestServiceOptions, 'createDatabase'>): Promise<TestService>;
  /** Begins an attack; the tally counts each of its requests. */
  attack(name: string): Tally;
  /** Reports a measurement, on which no result depends. */
  note(line: string): void;
  /** How often something is tried: less often in the short form, which runs at every change. */
  times(short: number, long: number): number;
  isLong: boolean;
  /** All items in the long form; in the short one a single item that the seed chooses. */
  some<T>(all: readonly T[]): readonly T[];
  /** Numbers in [0, 1) that follow from the seed. */
  random(): number;
  /** Steps that are run when the subject ends, the last one first. */
  closing: (() => unknown)[];
};

export type Subject = { name: string; run(arena: Arena): Promise<void> };

export type RunOptions = {
  isLong: boolean;
  seed: number;
  onNote?: (line: string) => void;
  createDatabase?: () => Promise<TestDatabase>;
};

/**
 * Runs one subject to its end, and returns the outcome of each attack. A subject that can't be
 * carried out, or an attack that tried nothing, counts as broken: it proves nothing.
 */
export async function runSubject(subject: Subject, options: RunOptions): Promise<AttackResult[]> {
  const { isLong, seed, createDatabase, onNote = () => {} } = options;
  const results: AttackResult[] = [];
  const closing: (() => unknown)[] = [];
  const random = seededRandom(seed);
  const arena: Arena = {
    isLong,
    note: onNote,
    random,
    some(all) {
      const chosen = Math.floor(random() * all.length);
      return isLong ? all : all.slice(chosen, chosen + 1);
    },
    closing,
    times: (short, long) => (isLong ? long : short),
    async start(service = {}) {
      const started = await startTestService({ ...service, ...(createDatabase && { createDatabase }) });
      closing.push(() => started.stop());
      return started;
    },
    attack(attack) {
      const result: AttackResult = { subject: subject.name, attack, tried: 0, broken: [] };
      results.push(result);
      return (request, failure) => {
        result.tried++;
        if (failure !== null) result.broken.push(`${request}: ${failure}`);
      };
    },
  };
  try {
    await subject.run(arena);
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    results.push({ subject: subject.name, attack: 'is carried out to its end', tried: 1, broken: [what] });
  } finally {
    for (const close of closing.reverse()) await close();
  }
  for (const result of results) if (result.tried === 0) result.broken.push('nothing was tried');
  return results;
}
