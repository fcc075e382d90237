import { EXPIRY_GRACE_MS } from '#domain/charges/charge-settlement.ts';
import { INVOICE_EXPIRY_GRACE_MS } from '#domain/invoices/invoice-settlement.ts';
import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { dayStart } from '#domain/values/business-day.ts';
import { seededRandom } from '#domain/values/seeded-random.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { CUSTOMERS, type DemoCustomer, PAYEES, PRODUCTS, WALLETS } from './demo-people.ts';

/**
 * What happens in the demo merchant's shop, and when. `n` numbers what is created: a transaction,
 * or a refund.
 */
export type DemoAction =
  | { do: 'charge'; n: number; amountCentavos: bigint; description: string; customer: DemoCustomer | null }
  | { do: 'pay_charge'; of: number }
  | { do: 'cancel'; of: number }
  | { do: 'refund'; n: number; of: number; centavos: bigint | null; description: string }
  | { do: 'invoice'; n: number; amountCentavos: bigint; currency: CurrencyCode }
  | { do: 'pay_invoice'; of: number; share?: string; unconfirmed?: boolean }
  | { do: 'confirm'; of: number }
  | {
      do: 'withdraw_pix';
      n: number;
      amount: WithdrawnAmount;
      pixKey: string;
      pixKeyType: PixKeyType;
      description: string;
    }
  | { do: 'withdraw_crypto'; n: number; amount: WithdrawnAmount; currency: CurrencyCode; wallet: string }
  /** No action of its own: what is due is processed. */
  | { do: 'settle' };

/** An amount, or a part of the balance at that time in whole tens of reais, up to a maximum. */
export type WithdrawnAmount = { centavos: bigint } | { percent: bigint; centavosMax: bigint };

export type DemoStep = { at: Date } & DemoAction;

export const HISTORY_DAYS = 28;
/** The demo's own, whatever the installation's are: the history is made with them. */
export const HISTORY_CHARGE_EXPIRY_SECONDS = 86_400;
export const HISTORY_INVOICE_EXPIRY_SECONDS = 3_600;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Any number: the same one makes the same history in every installation. */
const SEED = 20_261_121;
/** Sales of an ordinary Monday. */
const CHARGES_A_DAY = 5;
/** Sunday first. People shop when they have been paid and have time. */
const WEEKDAYS = [0.75, 1, 0.95, 1.05, 1.1, 1.55, 1.6];
/**
 * By the hour of the day in São Paulo: almost none at night, most around noon and in the evening.
 */
const HOURS = [
  0.3, 0.15, 0.08, 0.05, 0.05, 0.1, 0.3, 0.7, 1.2, 1.8, 2.4, 3, 3.4, 2.9, 2.4, 2.3, 2.4, 2.6, 2.8, 3, 2.9, 2.3, 1.4,
  0.7,
];

/** How crypto invoices end, in turn. */
const INVOICE_ENDS = ['paid', 'paid', 'seen', 'underpaid', 'seen', 'expired', 'paid', 'seen', 'overpaid'] as const;
const INVOICE_CURRENCIES: CurrencyCode[] = ['USDT_BSC', 'USDT_TRX', 'USDT_BSC', 'BTC', 'USDT_BSC', 'ETH'];

/**
 * Plans four weeks of a small shop up to `until`, in the order of time; the same for the same day
 * and minute. The days are São Paulo's, the last one is the day of `until`. No amount has cents
 * that the sandbox takes as a command, except for the withdrawal that is to fail.
 */
export function planHistory(until: Date): DemoStep[] {
  const random = seededRandom(SEED);
  const steps: DemoStep[] = [];
  let numbered = 0;
  const context: Day = {
    random,
    add: (at, action) => steps.push({ at, ...action }),
    next: () => ++numbered,
    start: until,
  };
  const today = dayStart(until);
  for (let day = 0; day < HISTORY_DAYS; day++) {
    // Noon, so that a day of 23 or 25 hours changes nothing.
    const start = dayStart(new Date(today.getTime() + HOUR_MS * 12 - (HISTORY_DAYS - 1 - day) * DAY_MS));
    const ofDay = { ...context, start };
    sell(ofDay);
    if (day % 3 !== 1) sellForCrypto(ofDay, day);
    if (day > 2) payOut(ofDay, day, until);
  }
  return steps.filter(({ at }) => at <= until).sort((a, b) => a.at.getTime() - b.at.getTime());
}

type Day = {
  random: Random;
  add(at: Date, action: DemoAction): void;
  next(): number;
  /** Its first instant. */
  start: Date;
};

function sell({ random, add, next, start }: Day): void {
  const weekday = WEEKDAYS[new Date(start.getTime() + 12 * HOUR_MS).getUTCDay()] ?? 1;
  const count = Math.round(CHARGES_A_DAY * weekday * (0.8 + 0.4 * random()));
  // In order, so that order numbers grow with time.
  const instants = Array.from({ length: count }, () => instantOf(start, random)).sort(
    (a, b) => a.getTime() - b.getTime(),
  );
  for (const at of instants) {
    const n = next();
    const { amountCentavos, description } = basket(random, n);
    const customer = random() < 0.9 ? pick(CUSTOMERS, random) : null;
    add(at, { do: 'charge', n, amountCentavos, description, customer });
    const fate = random();
    if (fate < 0.04) {
      add(after(at, (10 + 80 * random()) * MINUTE_MS), { do: 'cancel', of: n });
    } else if (fate < 0.14) {
      const end = HISTORY_CHARGE_EXPIRY_SECONDS * SECOND_MS + EXPIRY_GRACE_MS;
      add(after(at, end + SECOND_MS), { do: 'settle' });
    } else {
      // Most pay at once, some after dinner.
      const hesitation = random() < 0.88 ? 15 * SECOND_MS + random() * 6 * MINUTE_MS : random() * 3 * HOUR_MS;
      const paidAt = after(at, hesitation);
      add(paidAt, { do: 'pay_charge', of: n });
      if (n % 31 === 12) giveBack({ random, add, next, start }, { n, amountCentavos, paidAt });
    }
  }
}

/** A refund a day or two later, in working hours; every other one is partial. */
function giveBack(day: Day, sale: { n: number; amountCentavos: bigint; paidAt: Date }): void {
  const { random, add, next } = day;
  const opening = dayStart(after(sale.paidAt, (1 + Math.round(random())) * DAY_MS));
  const at = after(opening, (10 + 6 * random()) * HOUR_MS);
  const inPart = sale.n % 2 === 0;
  const centavos = inPart ? (sale.amountCentavos / 3n / 10n) * 10n : null;
  const description = inPart ? 'Devolução de um item' : 'Cliente desistiu da compra';
  add(at, { do: 'refund', n: next(), of: sale.n, centavos, description });
  add(after(at, 2 * SECOND_MS), { do: 'settle' });
}

function sellForCrypto({ random, add, next, start }: Day, day: number): void {
  const at = instantOf(start, random);
  const n = next();
  const { amountCentavos } = basket(random, n);
  const turn = Math.floor((day * 2) / 3);
  const currency = INVOICE_CURRENCIES[turn % INVOICE_CURRENCIES.length] ?? 'USDT_BSC';
  // Larger than in reais: a network's fee would be out of proportion to a T-shirt.
  add(at, { do: 'invoice', n, amountCentavos: amountCentavos * 3n, currency });
  const end = INVOICE_ENDS[turn % INVOICE_ENDS.length];
  const paidAt = after(at, (2 + 10 * random()) * MINUTE_MS);
  if (end === 'paid') add(paidAt, { do: 'pay_invoice', of: n });
  if (end === 'overpaid') add(paidAt, { do: 'pay_invoice', of: n, share: '1.25' });
  if (end === 'underpaid') add(paidAt, { do: 'pay_invoice', of: n, share: '0.6' });
  if (end === 'seen') {
    add(paidAt, { do: 'pay_invoice', of: n, unconfirmed: true });
    add(after(paidAt, (2 + 7 * random()) * MINUTE_MS), { do: 'confirm', of: n });
  }
  if (end === 'underpaid' || end === 'expired') {
    const over = HISTORY_INVOICE_EXPIRY_SECONDS * SECOND_MS + INVOICE_EXPIRY_GRACE_MS;
    add(after(at, over + 2 * SECOND_MS), { do: 'settle' });
  }
}

/**
 * Suppliers on Mondays and Thursdays, a reserve in dollars every eighth day, and one payment to an
 * account that is closed.
 */
function payOut({ random, add, next, start }: Day, day: number, until: Date): void {
  const weekday = new Date(start.getTime() + 12 * HOUR_MS).getUTCDay();
  const isToday = day === HISTORY_DAYS - 1;
  const elapsed = Math.max(0, until.getTime() - start.getTime());
  const morning = after(start, (9.5 + 2 * random()) * HOUR_MS);
  const pix = (at: Date, amount: WithdrawnAmount, payee: (typeof PAYEES)[number]) => {
    add(at, { do: 'withdraw_pix', n: next(), amount, ...payee });
    add(after(at, (2 + 5 * random()) * SECOND_MS), { do: 'settle' });
  };
  const payee = PAYEES[day % PAYEES.length] as (typeof PAYEES)[number];
  if (isToday) pix(after(start, elapsed * 0.9), { centavos: 480_00n }, payee);
  else if (weekday === 1 || weekday === 4) pix(morning, { percent: 55n, centavosMax: 4_500_00n }, payee);
  // The sandbox accepts a withdrawal with 12 cents, and does not carry it out.
  if (day === 15) pix(after(start, 15.2 * HOUR_MS), { centavos: 350_12n }, payee);
  if (day % 8 === 6) {
    const at = after(start, (16 + random()) * HOUR_MS);
    const wallet = WALLETS[day % WALLETS.length] as string;
    const amount = { percent: 30n, centavosMax: 2_000_00n };
    add(at, { do: 'withdraw_crypto', n: next(), amount, currency: 'USDT_BSC', wallet });
    add(after(at, 3 * SECOND_MS), { do: 'settle' });
  }
}

/**
 * One to three of a product, with or without delivery. All prices end in a zero: the sandbox takes
 * other cents as commands.
 */
function basket(random: Random, n: number): { amountCentavos: bigint; description: string } {
  const { name, centavos } = pick(PRODUCTS, random);
  const quantity = 1 + Math.floor(random() * random() * 3);
  const delivery = random() < 0.4 ? 14_90n : 0n;
  const description = `Pedido ${2040 + n} · ${quantity > 1 ? `${quantity}× ` : ''}${name}`;
  return { amountCentavos: centavos * BigInt(quantity) + delivery, description };
}

/** An instant of the day, to the millisecond. */
function instantOf(start: Date, random: Random): Date {
  const total = HOURS.reduce((sum, weight) => sum + weight, 0);
  let point = random() * total;
  let hour = 0;
  while (point >= (HOURS[hour] ?? total)) point -= HOURS[hour++] ?? 0;
  return after(start, Math.floor((hour + random()) * HOUR_MS));
}

const after = (instant: Date, ms: number): Date => new Date(Math.floor(instant.getTime() + ms));

type Random = () => number;

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;
