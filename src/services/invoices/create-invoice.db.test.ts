import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { findInvoice } from '#db/invoices/invoices.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { CryptoRail } from '#rails/ports.ts';
import { readEventData } from '#testing/read-events.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { NO_CUSTOMER } from '../charges/seal-texts.ts';
import { type CreatedInvoice, type CreateInvoiceInput, createInvoice } from './create-invoice.ts';
import { settleInvoice } from './settle-invoice.ts';

/** What a processor answers to a new invoice, and what an attempt that died has left. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let now = Date.parse('2026-11-20T12:00:00.000Z');
let trilho: TestService;
let terms: AccountTerms;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(now) });
});
beforeEach(async () => {
  const { accountId } = await trilho.openAccount({ currency: 'USDT_TRX' });
  terms = (await findAccountTerms(trilho.deps.db.pool, accountId, new Date(now))) as AccountTerms;
});
afterAll(() => trilho.stop());

const newInput = (): CreateInvoiceInput => ({
  id: uuidv7(new Date(now)),
  amountCentavos: 108_00n,
  currency: null,
  description: null,
  callbackUrl: null,
  expiresInSeconds: null,
  merchantFields: NO_MERCHANT_FIELDS,
  customer: NO_CUSTOMER,
});

/** The service with a processor some of whose methods do something else. */
function withRail(change: (rail: CryptoRail) => Partial<CryptoRail>) {
  const { deps } = trilho;
  const cryptoNamed: typeof deps.rails.cryptoNamed = async (name) => {
    const rail = await deps.rails.cryptoNamed(name);
    return rail && { ...rail, ...change(rail) };
  };
  return { ...deps, rails: { ...deps.rails, cryptoNamed } };
}
const withDeadRail = () => withRail(() => ({ createInvoice: () => Promise.reject(new Error('killed')) }));
const rowOf = (id: string) => findInvoice(trilho.deps.db.pool, id);

test('a quote is held no longer than the invoice says, whatever end the processor has', async () => {
  const end = now + HOUR_MS;
  for (const [said, held] of [
    [now + 7 * 24 * HOUR_MS, end + MINUTE_MS],
    [end + MINUTE_MS, end + MINUTE_MS],
    [end - MINUTE_MS, end - MINUTE_MS],
  ] as const) {
    const deps = withRail((rail) => ({
      async createInvoice(request) {
        const answer = await rail.createInvoice(request);
        return answer.outcome === 'done'
          ? { ...answer, value: { ...answer.value, expiresAt: new Date(said) } }
          : answer;
      },
    }));
    const input = newInput();
    expect((await createInvoice(deps, terms, input)).expiresAt).toEqual(new Date(held));
    expect((await rowOf(input.id))?.expiresAt).toEqual(new Date(held));
  }
});

test('an attempt that died is continued for what is left of its time', async () => {
  const end = now + HOUR_MS;
  const input = newInput();
  await expect(createInvoice(withDeadRail(), terms, input)).rejects.toThrow('killed');
  now += 50 * MINUTE_MS;
  const asked: number[] = [];
  const deps = withRail((rail) => ({
    createInvoice(request) {
      asked.push(request.expiresInSeconds);
      return rail.createInvoice(request);
    },
  }));
  expect((await createInvoice(deps, terms, input)).expiresAt).toEqual(new Date(end));
  expect(asked).toEqual([600]);
});

test('an attempt that died is not continued after its end: its quote is over', async () => {
  const input = newInput();
  await expect(createInvoice(withDeadRail(), terms, input)).rejects.toThrow('killed');
  now += 2 * HOUR_MS;
  await expect(createInvoice(trilho.deps, terms, input)).rejects.toMatchObject({ code: 'invoice_not_created' });
  expect(await rowOf(input.id)).toMatchObject({
    providerId: null,
    status: expect.stringMatching(/^(failed|expired)$/),
  });
});

test('of two attempts at once the later one has the quote of the invoice that the other has written', async () => {
  const { deps } = trilho;
  const input = newInput();
  let first: CreatedInvoice | undefined;
  const quotesFor: typeof deps.rails.quotesFor = (mode) => {
    const quotes = deps.rails.quotesFor(mode);
    if (!quotes) return null;
    return {
      ...quotes,
      async quote(asset) {
        first ??= await createInvoice(deps, terms, input);
        const found = await quotes.quote(asset);
        return found.outcome === 'done'
          ? { ...found, value: { ...found.value, price: found.value.price / 2n } }
          : found;
      },
    };
  };
  const second = await createInvoice({ ...deps, rails: { ...deps.rails, quotesFor } }, terms, input);
  expect(second).toEqual(first);
  expect(await rowOf(input.id)).toMatchObject({ status: 'pending', units: second.units });
});

test('an invoice that failed is not handed out once the processor turns out to have it', async () => {
  const input = newInput();
  const unanswered = withRail((rail) => ({
    async createInvoice(request) {
      await rail.createInvoice(request);
      return { outcome: 'unknown', reason: 'no answer in time' };
    },
  }));
  const rejected = { code: 'invoice_not_created' };
  await expect(createInvoice(unanswered, terms, input)).rejects.toMatchObject(rejected);
  await settleInvoice(trilho.deps, input.id);
  expect(await rowOf(input.id)).toMatchObject({ status: 'failed', wallet: expect.any(String) });
  await expect(createInvoice(trilho.deps, terms, input)).rejects.toMatchObject(rejected);

  // The first event about a payment has the processor's id, as those after it.
  const late = newInput();
  await expect(createInvoice(unanswered, terms, late)).rejects.toMatchObject(rejected);
  // A moment later, because events have the order of their times.
  now += 1_000;
  await trilho.pay(late.id);
  await settleInvoice(trilho.deps, late.id);
  const { providerId } = (await rowOf(late.id)) ?? {};
  const [, completed] = await readEventData(trilho.deps, late.id);
  expect(completed).toMatchObject({ status: 'completed', external_id: providerId });
});

test('money that the processor takes back after it was credited stays, and an operator hears of it', async () => {
  const input = newInput();
  await createInvoice(trilho.deps, terms, input);
  await trilho.pay(input.id);
  now += 1_000;
  await settleInvoice(trilho.deps, input.id);
  const errors = () => trilho.log.filter((line) => line.includes('"level":"error"') && line.includes(input.id));
  const before = await rowOf(input.id);
  expect([before?.status, errors()]).toEqual(['completed', []]);
  const reverted = withRail((rail) => ({
    async findInvoice(id) {
      const found = await rail.findInvoice(id);
      return found.outcome === 'done' && found.value
        ? { outcome: 'done', value: { ...found.value, status: 'failed', receivedUnits: 0n } }
        : found;
    },
  }));
  expect(await settleInvoice(reverted, input.id)).toBe('unchanged');
  expect(await rowOf(input.id)).toEqual(before);
  expect(errors()).toEqual([expect.stringContaining('took back')]);
});

test('no address of another currency is taken over from the processor', async () => {
  const input = newInput();
  await expect(createInvoice(withDeadRail(), terms, input)).rejects.toThrow('killed');
  const deps = withRail((rail) => ({
    async findInvoiceByOrder(id) {
      const created = await rail.createInvoice({
        ...{ orderNumber: id, currency: 'USDT_BSC', units: 20_00000000n, title: id, expiresInSeconds: 3600 },
        callbackUrl: trilho.deps.settings.cryptoCallbackUrl(rail.name),
      });
      return created;
    },
  }));
  await expect(settleInvoice(deps, input.id)).rejects.toThrow('another currency');
  expect(await rowOf(input.id)).toMatchObject({ providerId: null, wallet: null });
});
