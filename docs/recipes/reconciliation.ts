import { Trilho } from 'trilho-node';

const { TRILHO_URL = '', TRILHO_API_KEY = '' } = process.env;
const trilho = new Trilho({ baseUrl: TRILHO_URL, apiKey: TRILHO_API_KEY });

/** What your books say was paid on the day, less what was given back: reference and centavos. */
export type Sale = { reference: string; centavos: number };
export type Difference = { reference: string; booked: number; received: number };

const DAY_MS = 24 * 60 * 60 * 1_000;
const toCentavos = (reais: number) => Math.round(reais * 100);
const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' });

/** The first instant of a day of São Paulo, which had daylight saving time until 2019. */
export function startOfDay(day: string): Date {
  const summer = new Date(`${day}T00:00:00-02:00`);
  return dateOf.format(summer) === day ? summer : new Date(`${day}T00:00:00-03:00`);
}

/** Compares the charges that were paid on a day of São Paulo (2026-11-20) with your books. */
export async function compareSales(day: string, sales: readonly Sale[]): Promise<Difference[]> {
  const from = startOfDay(day);
  const to = startOfDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10));
  const paid = { type: ['pix_in' as const], paid_from: from.toISOString(), paid_to: to.toISOString(), limit: 100 };
  const received = new Map<string, number>();
  for await (const { reference, transaction_id, amount, refunded_amount } of trilho.transactions.list(paid)) {
    const name = reference ?? transaction_id;
    received.set(name, (received.get(name) ?? 0) + toCentavos(amount) - toCentavos(refunded_amount));
  }
  const booked = new Map(sales.map(({ reference, centavos }) => [reference, centavos]));
  return [...new Set([...booked.keys(), ...received.keys()])]
    .map((name) => ({ reference: name, booked: booked.get(name) ?? 0, received: received.get(name) ?? 0 }))
    .filter((one) => one.booked !== one.received);
}

/**
 * The day in the ledger: where it began, what moved it by kind, and where it ended, in centavos.
 */
export async function readDay(day: string) {
  const kinds = new Map<string, number>();
  let fees = 0;
  let days = { opening: 0, closing: 0 };
  for await (const { items, answer } of trilho.statement.list({ from: day, to: day, limit: 100 }).pages()) {
    // Of the whole day, with the first page.
    const { summary } = answer.data;
    if (summary) days = { opening: toCentavos(summary.opening_balance), closing: toCentavos(summary.closing_balance) };
    for (const { type, amount, fee } of items) {
      kinds.set(type, (kinds.get(type) ?? 0) + toCentavos(amount));
      fees += toCentavos(fee ?? 0);
    }
  }
  const moved = [...kinds.values()].reduce((sum, centavos) => sum + centavos, 0);
  if (days.opening + moved !== days.closing) throw new Error(`The entries of ${day} are not its balances' difference.`);
  return { ...days, kinds: Object.fromEntries(kinds), fees };
}
