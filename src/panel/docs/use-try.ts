import { useState } from 'react';
import { keyKind } from './key-kind.ts';
import { isJsonObject, type TryOperation, type TryValues, toRequest } from './try-request.ts';

export type KeyFault = 'noKey' | 'otherKey' | 'liveKey';
/** What is wrong with what was entered: the key, parameters by name, the body. */
export type TryFaults = { apiKey?: KeyFault; parameters: string[]; body?: boolean };

export type TryAnswer = { status: number; ms: number; headers: [name: string, value: string][]; body: string };
export type TryOutcome = { kind: 'sending' } | { kind: 'answered'; answer: TryAnswer } | { kind: 'no_answer' } | null;

const NO_FAULTS: TryFaults = { parameters: [] };

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
 * Checks what was entered and sends it. The faults come back from `send` too, for putting the
 * cursor on the first.
 */
export function useTry() {
  const [faults, setFaults] = useState(NO_FAULTS);
  const [outcome, setOutcome] = useState<TryOutcome>(null);

  const send = async (operation: TryOperation, values: TryValues): Promise<TryFaults | null> => {
    const found = faultsOf(operation, values);
    setFaults(found ?? NO_FAULTS);
    if (found) return found;
    setOutcome({ kind: 'sending' });
    setOutcome(await ask(operation, values));
    return null;
  };
  const reset = () => {
    setFaults(({ apiKey }) => ({ ...NO_FAULTS, ...(apiKey && { apiKey }) }));
    setOutcome(null);
  };
  const setKeyFault = (apiKey: KeyFault | undefined) =>
    setFaults(({ apiKey: _, ...others }) => (apiKey ? { ...others, apiKey } : others));
  return { faults, outcome, send, reset, setKeyFault };
}

const KEY_FAULTS = { empty: 'noKey', live: 'liveKey', other: 'otherKey', test: undefined } as const;

function faultsOf(operation: TryOperation, values: TryValues): TryFaults | null {
  const apiKey = KEY_FAULTS[keyKind(values.apiKey)];
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
