import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import type { Role } from '#domain/members/roles.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { mailsTo } from '#testing/mails.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/** The payees of an account, from the panel that adds them to the API that checks them. */

const DAY_MS = 24 * 3_600_000;
const PIX = { pixKey: '+5511987654321', pixKeyType: 'PHONE' as const };
const WALLET = { network: 'bsc' as const, wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', memo: null };
const TRANSFERS = {
  pix: ['/payments/transfers/pix', { ...PIX, amount: 10 }],
  crypto: ['/payments/transfers/crypto', { wallet: WALLET.wallet.toLowerCase(), amount: 10 }],
} as const;

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

async function merchant(mode: 'live' | 'test' = 'test') {
  const { apiKey, accountId, merchantId } = await trilho.openAccount({ mode, currency: 'USDT_BSC' });
  const member = async (role: Role) => {
    const memberId = uuidv7(trilho.deps.clock());
    const email = `${memberId}@example.com`;
    await addMember(trilho.deps.db.pool, { id: memberId, merchantId, email, role, name: `Pessoa ${role}` });
    return { email, panel: await panelCaller(trilho.deps, accountId, { memberId, email, role }) };
  };
  const owner = await member('owner');
  const transfer = (kind: keyof typeof TRANSFERS, headers = {}) => {
    const [path, body] = TRANSFERS[kind];
    return trilho.post(path, apiKey, body, headers);
  };
  const payees = async () => (await owner.panel.payees.list({})).data;
  return { apiKey, accountId, member, owner, transfer, payees };
}

test('the API sends only to usable payees of the account, over PIX and crypto, and rejects with the errors of each family', async () => {
  const one = await merchant();
  const { panel } = one.owner;
  await makePaidCharge(trilho, one.apiKey, { amount: 100 });
  await panel.thresholds.set({ kind: 'payees', amount: 0 });
  const key = { 'idempotency-key': uuidv7(trilho.deps.clock()) };
  expect(await one.transfer('pix', key)).toMatchObject({
    status: 403,
    body: { success: false, error: expect.stringContaining('favorecidos'), message: expect.stringContaining('painel') },
  });
  const crypto = await one.transfer('crypto');
  expect([crypto.status, Object.keys(crypto.body), crypto.body.message]).toEqual([
    403,
    ['success', 'message', 'code'],
    'Destino fora dos favorecidos da conta: adicione-o no painel',
  ]);

  await panel.addressBook.addPixKey({ label: ' Fornecedor Azul ', ...PIX, pixKey: '(11) 98765-4321' });
  await panel.addressBook.addWallet({ label: 'Corretora', ...WALLET, wallet: WALLET.wallet.toLowerCase() });
  const found = await one.payees();
  expect(found).toEqual([
    expect.objectContaining({ label: 'Corretora', ...WALLET, pix_key: null, waits: true, added_by: 'Pessoa owner' }),
    expect.objectContaining({ label: 'Fornecedor Azul', pix_key: PIX.pixKey, pix_key_type: 'PHONE', wallet: null }),
  ]);
  expect((await trilho.get('/payments/payees', one.apiKey)).body).toEqual({ success: true, data: found });
  const waitsMs = found.map(({ added_at, usable_from }) => Date.parse(usable_from) - Date.parse(added_at));
  expect(waitsMs).toEqual([DAY_MS, DAY_MS]);
  const usableFrom = found[1]?.usable_from;
  expect(await one.transfer('pix', key)).toMatchObject({
    status: 403,
    body: { usable_from: usableFrom, message: expect.stringContaining(usableFrom ?? '') },
  });
  expect(await one.transfer('crypto')).toMatchObject({
    status: 403,
    body: { success: false, message: expect.stringContaining('usable_from'), usable_from: found[0]?.usable_from },
  });

  for (const { payee_id } of found) await panel.addressBook.endWait({ payee_id });
  expect(await one.transfer('pix', key)).toMatchObject({ status: 200, body: { success: true } });
  expect(await one.transfer('crypto')).toMatchObject({ status: 200, body: { success: true } });
  await panel.addressBook.remove({ payee_id: found[1]?.payee_id ?? '' });
  expect(await one.transfer('pix')).toMatchObject({ status: 403 });

  // The audit can't be changed, so it has people's numbers masked.
  const { rows } = await trilho.deps.db.pool.query(
    `SELECT action, details - 'payee_id' AS details FROM audit_records WHERE account_id = $1 AND action ~ '^payee[.]'
     ORDER BY id`,
    [one.accountId],
  );
  expect(rows).toEqual([
    { action: 'payee.added', details: { pix_key: '+55 11 *****-4321' } },
    { action: 'payee.added', details: WALLET },
    ...found.map(() => ({ action: 'payee.wait_ended', details: {} })),
    { action: 'payee.removed', details: { pix_key: '+55 11 *****-4321' } },
  ]);
});

test('a member of finance adds payees; other roles and accounts can’t change them, and the wait of a live one can’t be ended', async () => {
  const [one, other] = [await merchant('live'), await merchant()];
  const [finance, support] = [await one.member('finance'), await one.member('support')];
  await finance.panel.addressBook.addPixKey({ label: 'Maria', ...PIX });
  const [payee] = await one.payees();
  const named = { payee_id: payee?.payee_id ?? '' };
  await expect(finance.panel.addressBook.endWait(named)).rejects.toMatchObject({ cause: { code: 'invalid_state' } });
  for (const { panel } of [other.owner, support]) {
    await expect(panel.addressBook.remove(named)).rejects.toThrow();
    await expect(panel.addressBook.endWait(named)).rejects.toThrow();
  }
  expect(await other.payees()).toEqual([]);
  await expect(support.panel.payees.list({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await one.payees()).toMatchObject([{ ...named, waits: true }]);

  await expect(finance.panel.addressBook.addPixKey({ label: 'Outra', ...PIX })).rejects.toMatchObject({
    cause: { code: 'payee_exists' },
  });
  await expect(
    finance.panel.addressBook.addWallet({ label: 'Torta', ...WALLET, network: 'bitcoin' }),
  ).rejects.toMatchObject({ cause: { code: 'invalid_wallet' } });
  await expect(finance.panel.addressBook.addWallet({ label: 'Torta', ...WALLET, memo: '1' })).rejects.toMatchObject({
    cause: { code: 'invalid_memo' },
  });
  // Every member gets the mail, whatever their role: within the day they can have it stopped.
  await trilho.until(
    'a mail',
    async () => mailsTo(trilho, support.email).find((mail) => mail.includes('Maria')) ?? null,
  );
});
