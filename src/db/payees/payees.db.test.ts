import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAYEE_WAIT_MS, PAYEES_MAX } from '#domain/payees/payees.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { addMemberOf } from '../testing/add-member.ts';
import { askDuring } from '../testing/ask-during.ts';
import { awaitApprovalOfAll } from '../testing/await-approval-of-all.ts';
import { fund, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { expectSound } from '../testing/ledger-state.ts';
import {
  newCryptoOut,
  newPixOut,
  PIX_DESTINATION,
  WALLET_DESTINATION,
  withdrawalChanges,
} from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { approveWithdrawal } from '../withdrawals/approvals.ts';
import { setThreshold } from '../withdrawals/thresholds.ts';
import type { NewWithdrawal } from '../withdrawals/withdrawals.ts';
import {
  addPayee,
  type Destination,
  endPayeeWait,
  findUsableFrom,
  listPayees,
  type NewPayee,
  removePayee,
} from './payees.ts';

/** Real sessions, so that the locks are real. */
const CONNECTIONS = 6;
const AT_ONCE = 10;
const USABLE = new Date(NOW.getTime() + PAYEE_WAIT_MS);
const BEFORE = new Date(USABLE.getTime() - 1);
const OTHER_INDEX = Buffer.alloc(32, 7);

let database: TestDatabase;
let db: Database;
let account: TestAccount;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: CONNECTIONS });
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 100_000n);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('where withdrawals go to payees only', () => {
  beforeEach(() => onlyPayees(0n));

  test('a PIX key that is no payee gets nothing, one that waits gets nothing, and it gets money once its wait is over', async () => {
    expect(await askPix()).toBe('not_a_payee');
    await add(pixPayee());
    expect(await askPix(BEFORE)).toBe('payee_waits');
    expect(await findUsableFrom(db.pool, account.id, PIX_DESTINATION)).toEqual(USABLE);
    expect(await askPix(USABLE)).toBe('requested');
    await expectSound(db.pool);
  });

  test('a wallet is known by its network, any of its spellings, and its memo', async () => {
    await add(walletPayee());
    const ask = (destination: Partial<Destination>, memo: string | null = null) => {
      const withdrawal = newCryptoOut(account, { amountCentavos: 100n, now: USABLE });
      if (withdrawal.type !== 'crypto_out') throw new Error('It is one.');
      return request({
        ...withdrawal,
        crypto: { ...withdrawal.crypto, memo },
        destination: { ...WALLET_DESTINATION, ...destination },
      });
    };
    expect(await ask({})).toBe('requested');
    expect(await ask({ network: 'ethereum' })).toBe('not_a_payee');
    expect(await ask({}, 'another customer')).toBe('not_a_payee');
    // The destination that is looked up has to include the wallet that is paid.
    expect(await ask({ wallets: ['0xABC'] })).toBe('not_a_payee');
  });

  test('a payee of another account does not count, and one that an older master key sealed does', async () => {
    const own = account;
    account = await openTestAccount(db.pool, 'live');
    await add(pixPayee());
    account = own;
    expect(await askPix(USABLE)).toBe('not_a_payee');
    await add({ ...pixPayee(), pixKey: { sealed: 'sealed', index: OTHER_INDEX, type: 'evp' } });
    expect(await askPix(USABLE)).toBe('not_a_payee');
    const pixKeyIndexes = [...PIX_DESTINATION.pixKeyIndexes, OTHER_INDEX];
    const withdrawal = newPixOut(account, { amountCentavos: 100n, now: USABLE });
    expect(await request({ ...withdrawal, destination: { ...PIX_DESTINATION, pixKeyIndexes } })).toBe('requested');
  });

  test('a payee that was removed gets nothing at once, and waits again when it is added again', async () => {
    const payee = pixPayee();
    await add(payee);
    expect(await remove(payee.id)).toBe(true);
    expect(await remove(payee.id)).toBe(false);
    expect(await askPix(USABLE)).toBe('not_a_payee');
    await add({ ...pixPayee(), usableFrom: new Date(USABLE.getTime() + 1) });
    expect(await askPix(USABLE)).toBe('payee_waits');
    expect(await listPayees(db.pool, account.id)).toHaveLength(1);
  });

  test('a withdrawal that waits for a second person is not approved to a payee that was removed, and keeps waiting', async () => {
    await awaitApprovalOfAll(db.pool, account);
    const payee = pixPayee();
    await add(payee);
    const withdrawal = newPixOut(account, { amountCentavos: 100n, now: USABLE });
    expect(await request(withdrawal)).toBe('pending_approval');
    await remove(payee.id);
    const memberId = await newMember();
    const approve = () =>
      approveWithdrawal(db.pool, {
        ...{ id: withdrawal.id, accountId: account.id, memberId, requote: null },
        ...{ destination: PIX_DESTINATION, now: USABLE },
      });
    expect(await approve()).toBe('not_a_payee');
    await add({ ...pixPayee(), usableFrom: USABLE });
    expect(await approve()).toBe('approved');
    await expectSound(db.pool);
  });

  test('a withdrawal of a later day is approved to a payee whose wait is over by then, and not to one who waits longer', async () => {
    await awaitApprovalOfAll(db.pool, account);
    await add(pixPayee());
    const withdrawal = newPixOut(account, { amountCentavos: 100n, now: USABLE });
    expect(await request(withdrawal)).toBe('pending_approval');
    const memberId = await newMember();
    const approvedFor = async (day: Date) => {
      await db.pool.query('UPDATE transactions SET scheduled_for = $2 WHERE id = $1', [withdrawal.id, day]);
      return approveWithdrawal(db.pool, {
        ...{ id: withdrawal.id, accountId: account.id, memberId, requote: null },
        ...{ destination: PIX_DESTINATION, now: NOW },
      });
    };
    expect(await approvedFor(BEFORE)).toBe('payee_waits');
    expect(await approvedFor(USABLE)).toBe('approved');
  });

  test('a withdrawal that is asked for while its payee is being removed does not go there', async () => {
    const payee = pixPayee();
    await add(payee);
    const outcome = await askedDuring(`SELECT payee_remove($1, '${payee.id}', '${uuidv7(NOW)}', $2)`);
    expect(outcome).toBe('not_a_payee');
  });

  test('a withdrawal that is approved while its payee is being removed does not go there', async () => {
    await awaitApprovalOfAll(db.pool, account);
    const payee = pixPayee();
    await add(payee);
    const withdrawal = newPixOut(account, { amountCentavos: 100n, now: USABLE });
    expect(await request(withdrawal)).toBe('pending_approval');
    const memberId = await newMember();
    const outcome = await askDuring(
      db.pool,
      (session) => session.query('SELECT payee_remove($1, $2, $3, $4)', [account.id, payee.id, uuidv7(NOW), NOW]),
      () =>
        approveWithdrawal(db.pool, {
          ...{ id: withdrawal.id, accountId: account.id, memberId, requote: null },
          ...{ destination: PIX_DESTINATION, now: USABLE },
        }),
    );
    expect(outcome).toBe('not_a_payee');
  });

  test('planted: a removal without the balance’s lock lets a withdrawal through that was asked for meanwhile', async () => {
    await add(pixPayee());
    const outcome = await askedDuring(
      `UPDATE payees SET removed_at = $2, removed_by_id = account_id WHERE account_id = $1`,
    );
    expect(outcome).toBe('requested');
  });
});

test('up to the threshold a withdrawal goes anywhere, above it to payees; without one it goes anywhere', async () => {
  expect(await askPix()).toBe('requested');
  await onlyPayees(50n);
  expect(await askPix(NOW, 50n)).toBe('requested');
  expect(await askPix(NOW, 51n)).toBe('not_a_payee');
});

test('a withdrawal that is asked for while the threshold is being lowered is held to it', async () => {
  const outcome = await askedDuring(`SELECT withdrawal_threshold_set($1, 'payees', '${uuidv7(NOW)}', 0, $2, $2)`);
  expect(outcome).toBe('not_a_payee');
});

test('a destination that is added many times at once becomes one payee, and an account has no more payees than its maximum', async () => {
  const adds = await Promise.all(Array.from({ length: AT_ONCE }, () => add(pixPayee())));
  expect(adds.filter((outcome) => outcome === 'added')).toHaveLength(1);
  expect(new Set(adds)).toEqual(new Set(['added', 'exists']));
  expect(await add(walletPayee(), 1)).toBe('full');
  expect(await add(walletPayee(), 2)).toBe('added');
  // The same account on a network with memos, of another customer.
  expect(await add({ ...walletPayee(), wallet: { network: 'bsc', address: '0xabc', memo: 'x' } })).toBe('added');
  expect(await add(walletPayee())).toBe('exists');
});

test('a destination that is added while it is being added is one payee', async () => {
  const { pixKeyIndexes } = PIX_DESTINATION;
  const row = {
    ...{ id: uuidv7(NOW), account_id: account.id, label: 'sealed', added_by_id: uuidv7(NOW) },
    ...{ pix_key: 'sealed', pix_key_index: `\\x${pixKeyIndexes[0]?.toString('hex')}`, pix_key_type: 'evp' },
    ...{ added_at: NOW, usable_from: USABLE },
  };
  const outcome = await askDuring(
    db.pool,
    (session) => session.query('SELECT payee_add($1, $2, $3, $4)', [row, pixKeyIndexes, [], PAYEES_MAX]),
    () => add(pixPayee()),
  );
  expect(outcome).toBe('exists');
  expect(await listPayees(db.pool, account.id)).toHaveLength(1);
});

test('the wait of a payee can be ended on a test account only', async () => {
  const live = pixPayee();
  await add(live);
  expect(await endWait(live.id)).toBe(false);
  account = await openTestAccount(db.pool, 'test');
  const payee = pixPayee();
  await add(payee);
  expect(await endWait(live.id)).toBe(false);
  expect(await endWait(payee.id)).toBe(true);
  expect(await endWait(payee.id)).toBe(false);
  expect(await findUsableFrom(db.pool, account.id, PIX_DESTINATION)).toEqual(NOW);
});

const request = (withdrawal: NewWithdrawal) => withdrawalChanges(db.pool).request(withdrawal);
const askPix = (now = NOW, amountCentavos = 100n) => request(newPixOut(account, { amountCentavos, now }));

const common = () => ({
  ...{ id: uuidv7(NOW), accountId: account.id, memberId: uuidv7(NOW), label: 'sealed' },
  ...{ usableFrom: USABLE, now: NOW },
});
const pixPayee = (): NewPayee => ({
  ...common(),
  pixKey: { sealed: 'sealed', index: PIX_DESTINATION.pixKeyIndexes[0] as Buffer, type: 'evp' },
  wallet: null,
  destination: PIX_DESTINATION,
});
const walletPayee = (): NewPayee => ({
  ...common(),
  pixKey: null,
  wallet: { network: 'bsc', address: '0xABC', memo: null },
  destination: WALLET_DESTINATION,
});

const add = (payee: NewPayee, most = PAYEES_MAX) => addPayee(db.pool, payee, most, noted);
const remove = (id: string) =>
  removePayee(db.pool, { id, accountId: account.id, memberId: uuidv7(NOW), now: NOW }, noted);
const endWait = (id: string) => endPayeeWait(db.pool, { id, accountId: account.id, now: NOW }, noted);
const onlyPayees = (centavos: bigint) =>
  setThreshold(
    db.pool,
    { accountId: account.id, kind: 'payees', memberId: uuidv7(NOW), centavos, aloneFrom: USABLE, now: NOW },
    noted,
  );
const noted = () => ({
  ...{ merchantId: null, memberId: null, accountId: account.id, action: 'payee.added', details: {} },
  ...{ ipAddress: null, userAgent: null, at: NOW },
});

const newMember = () => addMemberOf(db.pool, account.id);

/** The outcome of a withdrawal that is asked for while `change` has not committed. */
const askedDuring = (change: string) =>
  askDuring(
    db.pool,
    (session) => session.query(change, [account.id, NOW]),
    () => askPix(USABLE),
  );
