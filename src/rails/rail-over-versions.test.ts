import { expect, test } from 'vitest';
import { uuidToTxid, uuidv7 } from '#domain/values/uuid.ts';
import type { CryptoPayout, CryptoRail, Outcome, PixPayout, PixRail } from './ports.ts';
import { cryptoOverVersions, pixOverVersions } from './rail-over-versions.ts';

const REPLACED_AT = new Date('2026-11-23T12:00:00Z');
const BEFORE = uuidToTxid(uuidv7(new Date('2026-11-23T11:00:00Z')));
const AFTER = uuidToTxid(uuidv7(new Date('2026-11-23T13:00:00Z')));
const PAYOUT = { payoutId: BEFORE, status: 'completed' } as PixPayout;

type Answer = Outcome<PixPayout | null>;
const NOTHING: Answer = { outcome: 'done', value: null };
const KNOWN: Answer = { outcome: 'done', value: PAYOUT };
const DENIED: Answer = { outcome: 'rejected', reason: 'HTTP 401' };
const SILENT: Answer = { outcome: 'unknown', reason: 'no answer in time' };

/** A rail with a fixed answer about every payout and charge. It adds each call to `asked`. */
function pixRail(answer: Answer, asked: string[], name: string, sends = true): PixRail {
  const payouts = {
    sendPayout: async () => {
      asked.push(`${name} sends`);
      return { outcome: 'unknown' as const, reason: '' };
    },
    findPayout: async () => {
      asked.push(name);
      return answer;
    },
  };
  const findCharge = payouts.findPayout;
  return { name, findCharge, payouts: sends ? payouts : null, close: async () => {} } as unknown as PixRail;
}

const over = (newest: Answer, earlier: Answer, sends = true) => {
  const asked: string[] = [];
  const rail = pixOverVersions([
    { rail: pixRail(newest, asked, 'newest', sends), endedAt: null },
    { rail: pixRail(earlier, asked, 'earlier'), endedAt: REPLACED_AT },
  ]);
  return { rail, asked };
};

test.each([
  ['the newest knows it', KNOWN, NOTHING, KNOWN, ['newest']],
  ['only those that sent it know it', NOTHING, KNOWN, KNOWN, ['newest', 'earlier']],
  ['none knows it', NOTHING, NOTHING, NOTHING, ['newest', 'earlier']],
  ['those that may have sent it can’t be asked any more', NOTHING, DENIED, DENIED, ['newest', 'earlier']],
  ['the newest may not know it, and the earlier ones do', DENIED, KNOWN, KNOWN, ['newest', 'earlier']],
  ['the newest may not know it, and the earlier ones do not', DENIED, NOTHING, DENIED, ['newest', 'earlier']],
  ['the provider does not answer', SILENT, KNOWN, SILENT, ['newest']],
])('a payout from before the credentials were replaced: %s', async (_, newest, earlier, answer, order) => {
  const { rail, asked } = over(newest, earlier);
  expect(await rail.payouts?.findPayout(BEFORE)).toEqual(answer);
  expect(asked).toEqual(order);
});

test('a payout that was sent after the replacement is not looked for over the earlier credentials', async () => {
  const { rail, asked } = over(NOTHING, DENIED);
  expect(await rail.payouts?.findPayout(AFTER)).toEqual(NOTHING);
  expect(asked).toEqual(['newest']);
});

test('a charge that the newest credentials don’t know, and the earlier can’t say, is as the newest say', async () => {
  expect(await over(NOTHING, DENIED).rail.findCharge(BEFORE)).toEqual(NOTHING);
  expect(await over(NOTHING, KNOWN).rail.findCharge(BEFORE)).toEqual(KNOWN);
});

test.each([
  ['can’t be asked any more', DENIED, NOTHING],
  ['do not answer now', SILENT, SILENT],
  ['know it', KNOWN, KNOWN],
])(
  'an invoice that the newest key doesn’t know ends only once the earlier have answered: they %s',
  async (_, earlier, answer) => {
    const rail = (about: Answer) =>
      ({ findInvoice: async () => about, findInvoiceByOrder: async () => about }) as unknown as CryptoRail;
    const both = cryptoOverVersions([
      { rail: rail(NOTHING), endedAt: null },
      { rail: rail(earlier), endedAt: REPLACED_AT },
    ]);
    expect(await both.findInvoice('1')).toEqual(answer);
    expect(await both.findInvoiceByOrder(BEFORE)).toEqual(answer);
  },
);

test('payouts are sent by the newest credentials alone, and not at all where these send none', async () => {
  const request = { payoutId: AFTER, amountCentavos: 1n, pixKey: 'a@b.co', description: null };
  const sending = over(NOTHING, NOTHING);
  await sending.rail.payouts?.sendPayout(request);
  expect(sending.asked).toEqual(['newest sends']);
  const receiving = over(NOTHING, KNOWN, false);
  expect(await receiving.rail.payouts?.sendPayout(request)).toMatchObject({ outcome: 'rejected' });
  expect(await receiving.rail.payouts?.findPayout(BEFORE)).toEqual(KNOWN);
  expect(receiving.asked).toEqual(['earlier']);
});

test('similar crypto payouts of every key count, each once, and callbacks open with the key that signed them', async () => {
  const payout = (providerId: string) => ({ providerId }) as CryptoPayout;
  const rail = (ids: string[], signed: string) =>
    ({
      findPayoutsLike: async () => ({ outcome: 'done', value: ids.map(payout) }),
      parseCallback: (body: string) => (body === signed ? { providerId: signed, orderNumber: null } : null),
    }) as unknown as CryptoRail;
  const both = cryptoOverVersions([
    { rail: rail(['a', 'b'], 'new'), endedAt: null },
    { rail: rail(['b', 'c'], 'old'), endedAt: REPLACED_AT },
  ]);
  const request = {} as Parameters<CryptoRail['findPayoutsLike']>[0];
  const idsSince = async (since: string) => {
    const found = await both.findPayoutsLike(request, new Date(since));
    return found.outcome === 'done' ? found.value.map(({ providerId }) => providerId) : found;
  };
  expect(await idsSince('2026-11-23T11:59:00Z')).toEqual(['a', 'b', 'c']);
  // Another process may not have noticed the replacement yet when it sends.
  expect(await idsSince('2026-11-23T12:00:59Z')).toEqual(['a', 'b', 'c']);
  expect(await idsSince('2026-11-23T12:01:00Z')).toEqual(['a', 'b']);
  expect(['old', 'new', 'forged'].map((body) => both.parseCallback(body)?.providerId)).toEqual([
    'old',
    'new',
    undefined,
  ]);
});
