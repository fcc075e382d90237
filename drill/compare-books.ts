import { uuidToTxid } from '#domain/values/uuid.ts';
import type { JournalEntry } from './journal.ts';
import type { Books } from './read-books.ts';

export type BookComparison = {
  /** Acknowledged ids that were looked up, and those of them that are there. */
  acknowledged: number;
  present: number;
  /** Acknowledged and absent; paid and not credited; happened and never sent to the merchant. */
  missing: string[];
  /** Credited, executed or created more than once. */
  double: string[];
  /** Everything else in which the books of both sides differ. */
  different: string[];
};

/** The events of which a transaction has one at most; a refund in parts has one for each part. */
const ONCE_ONLY = /^(pix_in|crypto_in|pix_out|crypto_out)\.(paid|completed|expired|cancelled|failed)$/;

/** Stored, and never sent: the merchant has no id of such a transaction. */
const NOT_SENT = /^(pix_in|crypto_in)\.failed$/;

/** The states in which a transaction moved no money, however it was asked for. */
const WITHOUT_EFFECT = new Set(['failed', 'cancelled']);

/**
 * Compares what the load was promised, what the service has, what the simulators carried out, and
 * what the merchants were sent. Everything has to be settled.
 */
export function compareBooks(journal: readonly JournalEntry[], books: Books): BookComparison {
  const missing: string[] = [];
  const double: string[] = [];
  const different: string[] = [];
  const { own, provider, received } = books;
  const byId = new Map(own.transactions.map((row) => [row.id, row]));
  const refundById = new Map(own.refunds.map((row) => [row.id, row]));

  let acknowledged = 0;
  let present = 0;
  const promised = new Set<string>();
  for (const { key, kind, centavos, ids, accountId, isRejected } of journal) {
    if (ids.length === 0 && !isRejected) different.push(`${key} was never decided`);
    if (ids.length > 1) double.push(`${key} was acknowledged as ${ids.join(' and ')}`);
    for (const id of ids) {
      acknowledged++;
      promised.add(id);
      const row = kind === 'refund' ? refundById.get(id) : byId.get(id);
      if (!row) missing.push(`${key} was acknowledged as ${id}, which does not exist`);
      else {
        present++;
        if (row.centavos !== centavos || row.accountId !== accountId)
          different.push(`${key} was acknowledged with ${centavos} centavos, ${id} has ${row.centavos}`);
      }
    }
  }
  for (const { id, status } of [...own.transactions, ...own.refunds]) {
    if (!promised.has(id) && !WITHOUT_EFFECT.has(status)) double.push(`${id} belongs to no acknowledged request`);
  }

  const byTxid = new Map(own.transactions.map((row) => [uuidToTxid(row.id), row]));
  for (const { txid, centavos } of provider.payments) {
    const charge = byTxid.get(txid);
    if (!charge || (charge.credits === 0 && charge.status !== 'review'))
      missing.push(`the payment of ${centavos} centavos for ${txid} was not credited`);
  }
  const paidThere = new Set(provider.payments.map(({ txid }) => txid));
  for (const { id, credits } of own.transactions) {
    if (credits > 1) double.push(`${id} was credited ${credits} times`);
    if (credits > 0 && !paidThere.has(uuidToTxid(id))) different.push(`${id} was credited and never paid`);
  }
  for (const id of provider.fullyPaidInvoices) {
    const status = byId.get(id)?.status;
    if (status !== 'completed' && status !== 'review') missing.push(`the invoice ${id} was paid and is ${status}`);
  }

  const withStatus = (type: string, status: string) =>
    own.transactions.filter((row) => row.type === type && row.status === status);
  compare(
    'PIX payout',
    provider.payouts.filter(({ status }) => status === 'REALIZADO').map(({ txid, centavos }) => `${txid} ${centavos}`),
    withStatus('pix_out', 'paid').map(({ id, centavos }) => `${uuidToTxid(id)} ${centavos}`),
  );
  compare(
    'refund',
    provider.refunds.filter(({ status }) => status === 'DEVOLVIDO').map(({ txid, centavos }) => `${txid} ${centavos}`),
    own.refunds
      .filter(({ status }) => status === 'completed')
      .map(({ id, centavos }) => `${uuidToTxid(id)} ${centavos}`),
  );
  const sum = (rows: readonly { centavos: number }[]) => rows.reduce((total, { centavos }) => total + centavos, 0);
  const atPsp =
    sum(provider.payments) -
    sum(provider.payouts.filter(({ status }) => status === 'REALIZADO')) -
    sum(provider.refunds.filter(({ status }) => status === 'DEVOLVIDO'));
  if (own.atPspCentavos !== atPsp)
    different.push(`the ledger says that the PSP holds ${own.atPspCentavos} centavos, it holds ${atPsp}`);
  const paidOut = new Set(withStatus('crypto_out', 'completed').map(({ providerId }) => providerId));
  const known = new Set(provider.cryptoPayouts);
  for (const id of provider.cryptoPayouts)
    if (!paidOut.has(id)) double.push(`the crypto payout ${id} was executed and belongs to no completed withdrawal`);
  for (const id of paidOut)
    if (id === null || !known.has(id)) different.push(`the crypto payout ${id} is completed and was never executed`);

  for (const { id, type, transactionId } of own.events)
    if (!NOT_SENT.test(type) && !received.has(id))
      missing.push(`the event ${id} (${type} of ${transactionId}) was never delivered`);
  const eventsOf = new Map<string, string[]>();
  for (const { id, type, transactionId } of received.values()) {
    if (!ONCE_ONLY.test(type)) continue;
    const name = `${type} of ${transactionId}`;
    eventsOf.set(name, [...(eventsOf.get(name) ?? []), id]);
  }
  for (const [name, ids] of eventsOf) if (ids.length > 1) double.push(`${name} was sent as ${ids.join(' and ')}`);

  return { acknowledged, present, missing, double, different };

  /** An operation that was executed there and is missing here is money that left unnoticed. */
  function compare(what: string, theirs: readonly string[], ours: readonly string[]): void {
    const here = new Set(ours);
    const there = new Set(theirs);
    for (const one of theirs)
      if (!here.has(one)) different.push(`the ${what} ${one} was executed, and is not done here`);
    for (const one of ours)
      if (!there.has(one)) different.push(`the ${what} ${one} is done here, and was never executed`);
  }
}
