import type { Request } from 'autocannon';
import type { Operation } from '../operations.ts';
import type { Target } from '../processes.ts';
import type { Closing } from '../with-closing.ts';

/** From how many accounts money leaves at once. */
export const LOADS = { spread: 20, 'one account': 1 } as const;
export type LoadName = keyof typeof LOADS;

/** The money that every account has before: more than all transfers together take. */
export const FUNDS_CENTAVOS = 1_000_000_000_00;
/** What a transfer moves. */
export const TRANSFER_CENTAVOS = 1_00;
/** An ordinary one: the service makes its words searchable, by seven tokens. */
export const TRANSFER_DESCRIPTION = 'Repasse 4711';

/** A ledger that is measured: where it answers, and the requests of each load. */
export type MeasuredLedger = { target: Target; loads: Record<LoadName, Operation> };

/** What a peer is started with. */
export type PeerContext = {
  /** The program that was built. */
  program: string;
  /** The folder of its files. */
  home: string;
  /** An empty database of its own, on the server that the service uses, too. */
  databaseUrl: string;
  log: string;
  /** Gets the steps that stop what was started. */
  closing: Closing;
};

/** A ledger of others with an API over HTTP. */
export type Peer = {
  name: string;
  source: { repository: string; tag: string; package: string };
  /** Programs that it needs beside Go and PostgreSQL. */
  needs: readonly string[];
  /** Starts it, and opens and funds its accounts. */
  start(context: PeerContext): Promise<MeasuredLedger>;
};

/** A transfer out of an account, as its ledger's API takes it. */
export type Transfer = { path: string; headers?: Record<string, string>; body: object };

/**
 * An operation for each load: transfers out of so many accounts in turn. `status`: what each is
 * answered with.
 */
export function loadsOf<Account>(
  accounts: readonly Account[],
  status: number,
  transfer: (account: Account) => Transfer,
): Record<LoadName, Operation> {
  const load = (name: LoadName): Operation => ({
    name,
    status,
    requests: accounts.slice(0, LOADS[name]).map((account) => toRequest(transfer(account))),
  });
  return { spread: load('spread'), 'one account': load('one account') };
}

const toRequest = ({ path, headers, body }: Transfer): Request => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Posts to a peer's API. Returns the answer's body, and throws unless it succeeded. */
export async function post(url: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, toRequest({ path, body }));
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}${path} answered ${response.status}: ${text}`);
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}
