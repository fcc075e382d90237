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

/** An operation for each load: transfers out of so many accounts in turn. */
export function loadsOf<Account>(
  accounts: readonly Account[],
  transfer: (account: Account) => Omit<Operation, 'name'>,
): Record<LoadName, Operation> {
  const load = (name: LoadName): Operation => {
    const transfers = accounts.slice(0, LOADS[name]).map(transfer);
    const [first] = transfers;
    return { ...first, name, requests: transfers.flatMap(({ requests }) => requests) };
  };
  return { spread: load('spread'), 'one account': load('one account') };
}
