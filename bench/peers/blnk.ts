import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '#postgres/free-port.ts';
import { UNIQUE } from '../operations.ts';
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

const CENTAVOS = 100;
/** Money comes from a balance of Blnk's own, which may be overdrawn. */
const FUNDING = '@funding-BRL';

type Pair = { available: string; held: string };

/**
 * Blnk, which posts while the client waits (`skip_queue`): from an account's balance to one that
 * holds what is to leave. Its API is that of docs.blnkfinance.com.
 */
export const BLNK: Peer = {
  name: 'blnk',
  source: { repository: 'https://github.com/blnkfinance/blnk', tag: 'v0.15.2', package: './cmd' },
  needs: ['redis-server'],
  start,
};

async function start({ program, home, databaseUrl, log, closing }: PeerContext): Promise<MeasuredLedger> {
  const redisPort = await freePort();
  const redisArgs = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', home];
  const redis = await startProgram('redis-server', redisArgs, { port: redisPort, home, log });
  closing.push(redis.stop);

  const port = await freePort();
  const env = {
    BLNK_PROJECT_NAME: 'Bench',
    BLNK_DATA_SOURCE_DNS: databaseUrl,
    BLNK_REDIS_DNS: `127.0.0.1:${redisPort}`,
    BLNK_SERVER_PORT: String(port),
    BLNK_ENABLE_TELEMETRY: 'false',
    BLNK_ENABLE_OBSERVABILITY: 'false',
  };
  await promisify(execFile)(program, ['migrate', 'up'], {
    cwd: home,
    env: { NODE_ENV: 'production', HOME: home, ...env },
  });
  const target = await startProgram(program, ['start'], { port, home, log, env });
  closing.push(target.stop);

  const { url } = target;
  const { ledger_id } = await post(url, '/ledgers', { name: 'Bench' });
  const accounts: Pair[] = [];
  for (let made = 0; made < LOADS.spread; made++) {
    const open = async () => String((await post(url, '/balances', { ledger_id, currency: 'BRL' })).balance_id);
    const pair = { available: await open(), held: await open() };
    const funds = { ...transferOf(FUNDING, pair.available, FUNDS_CENTAVOS), allow_overdraft: true };
    await post(url, '/transactions', { ...funds, reference: `funds-${made}` });
    accounts.push(pair);
  }
  const loads = loadsOf(accounts, 201, ({ available, held }) => ({
    path: '/transactions',
    body: { ...transferOf(available, held, TRANSFER_CENTAVOS), reference: UNIQUE },
  }));
  return { target, loads };
}

const transferOf = (source: string, destination: string, centavos: number) => ({
  amount: centavos / CENTAVOS,
  precision: CENTAVOS,
  currency: 'BRL',
  description: TRANSFER_DESCRIPTION,
  source,
  destination,
  skip_queue: true,
});
