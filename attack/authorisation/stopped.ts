import { resumeAccount, suspendAccount } from '#services/accounts/suspend-account.ts';
import { PASSWORD } from '../../src/testing/panel-browser.ts';
import { ask, type RawAnswer } from '../answers.ts';
import { reasonIn } from './bodies.ts';
import { confirmed } from './confirmed.ts';
import type { Matrix } from './matrix.ts';
import { panelOperations, restOperations } from './operations.ts';
import { callPage, cookieOf } from './panel.ts';

/** Longer than an attack takes. */
const PAUSE_MS = 3_600_000;

/** Cancelling a scheduled withdrawal keeps the money in. */
const isMoneyOut = (name: string) =>
  (name.startsWith('withdrawals.') && name !== 'withdrawals.cancelPix') || name === 'transactions.refund';

/**
 * Suspended accounts, rejected merchants and paused members: what they may no longer do is
 * rejected.
 */
export async function attackStopped(matrix: Matrix): Promise<void> {
  await attackSuspended(matrix);
  await attackPaused(matrix);
  await attackRejected(matrix);
}

async function attackSuspended({ arena, service, attacker }: Matrix): Promise<void> {
  const tally = arena.attack('procedures of a suspended account');
  const owned = attacker.owned.test;
  const key = await attacker.newKey('test');
  const { deps } = service;
  await suspendAccount(deps, { accountId: owned.accountId, reason: 'Prova' });
  await service.until('the suspension is known', async () => {
    return (await service.get('/payments/balance', key)).status === 403 || null;
  });
  for (const operation of restOperations()) {
    const answer = await sendRest({ service, key, operation, owned });
    tally(`${operation.name} with a key`, answer.status === 403 ? null : `${answer.status}`);
  }
  for (const operation of panelOperations()) {
    const { name, type, rule } = operation;
    if (type !== 'mutation' || rule.who === 'anyone' || rule.whileSuspended) continue;
    await confirmed({ service, attacker });
    const { answer } = await callPage(service, operation, { mode: 'test', owned, cookie: cookieOf(attacker.browser) });
    tally(`${name} in the panel`, answer.status === 403 ? null : `${answer.status} ${reasonIn(answer)}`);
  }
  await resumeAccount(deps, owned.accountId);
  await service.until('the end of the suspension is known', async () => {
    return (await service.get('/payments/balance', key)).status === 200 || null;
  });
}

async function attackPaused({ arena, service, attacker }: Matrix): Promise<void> {
  const tally = arena.attack('what a paused member, and keys they made, may not do');
  const { pool } = service.deps.db;
  const owned = attacker.owned.test;
  await confirmed({ service, attacker });
  const made = await attacker.browser.call('keys.create', {
    ...{ name: 'de antes', permissions: ['withdrawals:write', 'refunds:write', 'balance:read'] },
    ...{ allowed_ips: [], expires_at: null },
  });
  const key = (made.data as { api_key?: string } | undefined)?.api_key ?? '';
  tally('a key from before the pause', key ? null : `was not made: ${made.status} ${made.reason}`);
  const pause = (until: Date | null) =>
    pool.query('UPDATE members SET withdrawals_blocked_until = $2 WHERE email = $1', [attacker.email, until]);
  await pause(new Date(service.deps.clock().getTime() + PAUSE_MS));
  for (const operation of restOperations().filter(({ name }) => isMoneyOut(name))) {
    const answer = await sendRest({ service, key, operation, owned });
    tally(`${operation.name} with the key`, answer.status === 403 ? null : `${answer.status}`);
  }
  for (const operation of panelOperations().filter(({ rule }) => rule.confirm)) {
    await confirmed({ service, attacker });
    const { answer } = await callPage(service, operation, { mode: 'test', owned, cookie: cookieOf(attacker.browser) });
    const isRejected = answer.status === 403 && reasonIn(answer) === 'withdrawals_paused';
    tally(`${operation.name} in the panel`, isRejected ? null : `${answer.status} ${reasonIn(answer)}`);
  }
  const setUp = await attacker.browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
  tally('setting up a second factor', setUp.status === 403 ? null : `${setUp.status}`);
  await pause(null);
}

async function attackRejected({ arena, service, attacker }: Matrix): Promise<void> {
  const tally = arena.attack('money out of a rejected merchant');
  const { pool } = service.deps.db;
  const setKyc = async (status: string) => {
    await pool.query('UPDATE merchants SET kyc_status = $2::kyc_status WHERE id = $1', [attacker.merchantId, status]);
    await pool.query("SELECT pg_notify('trilho_accounts', $1)", [attacker.merchantId]);
  };
  await setKyc('rejected');
  // In live mode alone: test mode has no money, and needs no verification.
  for (const mode of ['live'] as const) {
    const owned = attacker.owned[mode];
    const key = await attacker.newKey(mode);
    for (const operation of restOperations().filter(({ name }) => isMoneyOut(name))) {
      const answer = await sendRest({ service, key, operation, owned });
      tally(`${operation.name} (${mode}) with a key`, answer.status === 403 ? null : `${answer.status}`);
    }
    for (const operation of panelOperations().filter(({ name }) => isMoneyOut(name))) {
      await confirmed({ service, attacker });
      const { answer } = await callPage(service, operation, { mode, owned, cookie: cookieOf(attacker.browser) });
      const isRejected = answer.status === 403 && reasonIn(answer) === 'kyc_not_approved';
      tally(`${operation.name} (${mode}) in the panel`, isRejected ? null : `${answer.status} ${reasonIn(answer)}`);
    }
  }
  await setKyc('approved');
}

function sendRest(of: {
  service: Matrix['service'];
  key: string;
  operation: ReturnType<typeof restOperations>[number];
  owned: Matrix['attacker']['owned']['test'];
}): Promise<RawAnswer> {
  const { path, body } = of.operation.request(of.owned);
  return ask(of.service.url + path, {
    method: of.operation.method,
    headers: { 'x-api-key': of.key, ...(body !== null && { 'content-type': 'application/json' }) },
    ...(body !== null && { body }),
  });
}
