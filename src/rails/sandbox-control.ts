import { z } from 'zod';
import type { Outcome } from './ports.ts';

/** The sandbox is near, and its control side always answers. */
const TIMEOUT_MS = 5_000;
/** Setting a clock also sends the callbacks of what is due by it, before it answers. */
const CLOCK_TIMEOUT_MS = 20_000;

/** A payment in the sandbox; `txid` names the charge or the invoice. */
export type SandboxPayment = {
  txid: string;
  /** PIX: another amount than the charge's, as decimal text. */
  amount?: string;
  /** Crypto: this share of what is asked for, as decimal text: `0.5` is a half. */
  share?: string;
  /** Crypto: seen by the network, and confirmed only by a command. */
  unconfirmed?: boolean;
  /** Pays also what is paid already or has expired. */
  force?: boolean;
};

/**
 * The outcome of a command. `why`: the sandbox's code for the state of a charge that forbids it,
 * else `other`.
 */
export type SandboxOutcome<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'rejected'; why: string; reason: string }
  | Extract<Outcome<T>, { outcome: 'unknown' }>;

/**
 * When the next thing is due by a test clock, or null, and how much has happened by it so far that
 * no callback reports.
 */
export type SandboxClockState = { next: Date | null; unreported: number };

/** What only the sandbox has: commands to its payers and its network, and its switches. */
export type SandboxControl = {
  pay(payment: SandboxPayment): Promise<SandboxOutcome<null>>;
  /** Makes the network confirm what was paid `unconfirmed`. */
  confirm(txid: string): Promise<SandboxOutcome<null>>;
  /** Makes the time of a charge or an invoice run out now. */
  expire(txid: string): Promise<SandboxOutcome<null>>;
  /** Makes the PSP remove a PIX charge by itself. */
  remove(txid: string): Promise<SandboxOutcome<null>>;
  /**
   * Sets a test clock, puts the charges, payouts and invoices `txids` under it, and makes happen
   * what is due by it.
   */
  setClock(clock: { id: string; now: Date; txids: string[] }): Promise<SandboxOutcome<SandboxClockState>>;
  /** Every switch with its value. */
  switches(): Promise<SandboxOutcome<Record<string, string>>>;
  /** Sets one switch, of the whole sandbox; returns the values of all of them. */
  setSwitch(name: string, value: string): Promise<SandboxOutcome<Record<string, string>>>;
};

const switchesAnswer = z.record(z.string(), z.string());
const clockAnswer = z.object({ next: z.iso.datetime().nullable(), unreported: z.int() });
const problemAnswer = z.object({ detail: z.string(), reason: z.string().default('other') });

/** Calls the sandbox's control side at `baseUrl`. No method rejects. */
export function createSandboxControl({ baseUrl, token }: { baseUrl: string; token: string }): SandboxControl {
  async function call<T>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: object | undefined,
    read: (json: unknown) => T,
    timeoutMs = TIMEOUT_MS,
  ): Promise<SandboxOutcome<T>> {
    try {
      const response = await fetch(`${baseUrl}/control${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const json: unknown = await response.json();
      if (response.ok) return { outcome: 'done', value: read(json) };
      const problem = problemAnswer.safeParse(json);
      if (!problem.success || response.status >= 500) {
        return { outcome: 'unknown', reason: `HTTP ${response.status} from the sandbox` };
      }
      return { outcome: 'rejected', why: problem.data.reason, reason: problem.data.detail };
    } catch (error) {
      return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) };
    }
  }
  const command = (path: string, body: object) => call('POST', path, body, () => null);

  return {
    pay: (payment) => command('/pay', payment),
    confirm: (txid) => command('/confirm', { txid }),
    expire: (txid) => command('/expire', { txid }),
    remove: (txid) => command('/remove', { txid }),
    setClock: ({ id, now, txids }) =>
      call(
        'POST',
        '/clock',
        { id, now: now.toISOString(), subjects: txids },
        (json) => {
          const { next, unreported } = clockAnswer.parse(json);
          return { next: next === null ? null : new Date(next), unreported };
        },
        CLOCK_TIMEOUT_MS,
      ),
    switches: () => call('GET', '/switches', undefined, (json) => switchesAnswer.parse(json)),
    setSwitch: (name, value) => call('PUT', '/switches', { name, value }, (json) => switchesAnswer.parse(json)),
  };
}
