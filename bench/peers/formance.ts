import { freePort } from '#postgres/free-port.ts';
import {
  FUNDS_CENTAVOS,
  LOADS,
  loadsOf,
  type MeasuredLedger,
  type Peer,
  type PeerContext,
  post,
  TRANSFER_CENTAVOS,
  TRANSFER_DESCRIPTION,
} from './peer.ts';
import { startProgram } from './start-program.ts';

const LEDGER = '/v2/bench';

/**
 * Formance's ledger: postings from an account to one that holds what is to leave, which are
 * rejected when the money is not there. Its API is that of docs.formance.com.
 */
export const FORMANCE: Peer = {
  name: 'formance',
  source: { repository: 'https://github.com/formancehq/ledger', tag: 'v2.2.59', package: '.' },
  needs: [],
  start,
};

async function start({ program, home, databaseUrl, log, closing }: PeerContext): Promise<MeasuredLedger> {
  const port = await freePort();
  const args = ['serve', '--bind', `127.0.0.1:${port}`, '--postgres-uri', databaseUrl, '--auto-upgrade'];
  const target = await startProgram(program, args, { port, home, log });
  closing.push(target.stop);

  const { url } = target;
  await post(url, LEDGER, {});
  const accounts = Array.from({ length: LOADS.spread }, (_, index) => `merchants:${index + 1}`);
  for (const account of accounts)
    await post(url, `${LEDGER}/transactions`, transferOf('world', `${account}:available`, FUNDS_CENTAVOS));
  const loads = loadsOf(accounts, 200, (account) => ({
    path: `${LEDGER}/transactions`,
    body: transferOf(`${account}:available`, `${account}:held`, TRANSFER_CENTAVOS),
  }));
  return { target, loads };
}

const transferOf = (source: string, destination: string, centavos: number) => ({
  postings: [{ amount: centavos, asset: 'BRL/2', source, destination }],
  metadata: { description: TRANSFER_DESCRIPTION },
});
