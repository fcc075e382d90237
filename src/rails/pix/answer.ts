import type { z } from 'zod';
import { conceal } from '#domain/encryption/conceal.ts';
import type { Outcome } from '../ports.ts';
import type { ApiPixClient, Reply } from './api-pix-client.ts';
import { readProblem, saysNotFound } from './problem.ts';

export const done = <T>(value: T): Outcome<T> => ({ outcome: 'done', value });
export const unknown = (reason: string) => ({ outcome: 'unknown', reason }) as const;

/** Sends a GET and reads the answer; `done` with `null`: the PSP does not know it. */
export async function find<T>(
  client: ApiPixClient,
  path: string,
  schema: z.ZodType<T>,
  deadline: number,
): Promise<Outcome<T | null>> {
  const { reply } = await client.send({ method: 'GET', path }, deadline);
  if (reply.kind === 'answered' && saysNotFound(reply.status, reply.json)) return done(null);
  return settle(reply, (json) => read(schema, json), client.secrets);
}

/**
 * Converts a reply to an outcome. Only the API itself rejects: a 4xx without a problem body may
 * come from anything in between. `secrets` are kept out of the reason.
 */
export function settle<T>(reply: Reply, accept: (json: unknown) => Outcome<T>, secrets: readonly string[]): Outcome<T> {
  if (reply.kind === 'denied') return { outcome: 'rejected', reason: reply.reason };
  if (reply.kind === 'silent') return unknown(reply.reason);
  const { status, json } = reply;
  if (status >= 200 && status < 300) return accept(json);
  const problem = readProblem(json, (line) => conceal(line, secrets));
  const reason = `HTTP ${status} ${problem ?? 'without a problem body'}`;
  return problem !== null && status >= 400 && status < 500 && status !== 429
    ? { outcome: 'rejected', reason }
    : unknown(reason);
}

/**
 * Reads an answer by a schema. A reason names the fields that are not as the standard has them,
 * never their values.
 */
export function read<T>(schema: z.ZodType<T>, json: unknown): Outcome<T> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return done(parsed.data);
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the body');
  return unknown(`not an API Pix answer: ${[...new Set(fields)].slice(0, 5).join(', ')}`);
}

/** A page of a list as it is answered: its content, and the number of all pages. */
export type Listed<Page extends { hasMore: boolean }> = { content: Omit<Page, 'hasMore'>; pages: number };

/**
 * Reads a page of a list. Whether there is more goes by the page that was asked for: an answer that
 * says another number would have the list end early, or never.
 */
export function readPage<Content>(
  schema: z.ZodType<{ content: Content; pages: number }>,
  { page }: { page: number },
  json: unknown,
): Outcome<Content & { hasMore: boolean }> {
  const listed = read(schema, json);
  if (listed.outcome !== 'done') return listed;
  const { content, pages } = listed.value;
  return done({ ...content, hasMore: page + 1 < pages });
}
