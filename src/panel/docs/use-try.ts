import { useState } from 'react';
import { keyKind } from './key-kind.ts';
import { isJsonObject, type TryOperation, type TryValues, toRequest } from './try-request.ts';

export type KeyIssue = 'noKey' | 'otherKey' | 'liveKey';
/** What is wrong with what was entered: the key, parameters by name, the body. */
export type TryIssues = { apiKey?: KeyIssue; parameters: string[]; body?: boolean };

export type TryAnswer = { status: number; ms: number; headers: [name: string, value: string][]; body: string };
export type TryOutcome = { kind: 'sending' } | { kind: 'answered'; answer: TryAnswer } | { kind: 'no_answer' } | null;

const NO_ISSUES: TryIssues = { parameters: [] };

/** A request nobody answers is given up. */
const TIMEOUT_MS = 30_000;

/** The headers that say something to whoever tries. */
const HEADERS_SHOWN = [
  'x-request-id',
  'x-api-version',
  'idempotent-replayed',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
];

/**
 * Checks what was entered and sends it. The issues come back from `send` too, for putting the
 * cursor on the first.
 */
export function useTry() {
  const [issues, setIssues] = useState(NO_ISSUES);
  const [outcome, setOutcome] = useState<TryOutcome>(null);

  const send = async (operation: TryOperation, values: TryValues): Promise<TryIssues | null> => {
    const found = findIssues(operation, values);
    setIssues(found ?? NO_ISSUES);
    if (found) return found;
    setOutcome({ kind: 'sending' });
    setOutcome(await ask(operation, values));
    return null;
  };
  const reset = () => {
    setIssues(({ apiKey }) => ({ ...NO_ISSUES, ...(apiKey && { apiKey }) }));
    setOutcome(null);
  };
  const setKeyIssue = (apiKey: KeyIssue | undefined) =>
    setIssues(({ apiKey: _, ...others }) => (apiKey ? { ...others, apiKey } : others));
  return { issues, outcome, send, reset, setKeyIssue };
}

const KEY_ISSUES = { empty: 'noKey', live: 'liveKey', other: 'otherKey', test: undefined } as const;

function findIssues(operation: TryOperation, values: TryValues): TryIssues | null {
  const apiKey = KEY_ISSUES[keyKind(values.apiKey)];
  const parameters = operation.parameters
    .filter(({ name, required }) => required && !values.parameters[name]?.trim())
    .map(({ name }) => name);
  const body = operation.body !== null && !isJsonObject(values.body);
  return apiKey || parameters.length > 0 || body ? { parameters, body, ...(apiKey && { apiKey }) } : null;
}

async function ask(operation: TryOperation, values: TryValues): Promise<TryOutcome> {
  const { url, init } = toRequest(operation, values);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    const headers = HEADERS_SHOWN.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return { kind: 'answered', answer: { status: response.status, ms, headers, body: pretty(body) } };
  } catch {
    return { kind: 'no_answer' };
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
