import { readCsv } from '#domain/testing/read-csv.ts';
import { openTransactionsCsv } from '#server/panel/open-transactions-csv.ts';
import { openStatementCsv, openStatementOfx } from '#server/panel/statement-file.ts';
import type { Deps } from '#services/deps.ts';
import { panelCaller } from './panel-caller.ts';

/**
 * The figures of an account's money on every screen and in every file, in centavos: by where they
 * are, then by name.
 */
export type Readings = Record<string, Record<string, bigint>>;

const BALANCES = ['available', 'pending', 'blocked'] as const;
const FIGURES = ['gross', 'fees', 'split', 'refunded', 'net'] as const;

/**
 * Reads the figures of an account. `days` are São Paulo's, `days.to` is today; the overview's
 * `period` has to cover the same days.
 */
export async function readMoney(
  deps: Deps,
  accountId: string,
  period: '7d' | '90d',
  days: { from: string; to: string },
): Promise<Readings> {
  const panel = await panelCaller(deps, accountId);
  const readings: Readings = {};
  const { data: balances } = await panel.balance.get({});
  readings.balance = inCentavos({
    available: balances.available_balance,
    pending: balances.pending_balance,
    blocked: balances.blocked_balance,
    owed: balances.owed_balance ?? 0,
  });
  readings.owed = await readOwed(deps, accountId, days.from);
  const overview = await panel.overview.get({ period });
  const { total, received, splits, fees, sent, refunded } = overview;
  readings['overview, balances'] = inCentavos(overview.balances);
  readings.overview = inCentavos({
    opening: total.opening,
    received: received.amount,
    splitsReceived: splits.received,
    splitsGiven: splits.given,
    fees: fees.amount,
    sent: sent.amount,
    refunded: refunded.amount,
    pendingChange: total.pending_change,
    closing: total.closing,
    chart: 0,
  });
  readings.overview.chart = sumOf(overview.series.flatMap(({ pix, crypto }) => [centavosOf(pix), centavosOf(crypto)]));

  const list = { in: 0n, out: 0n, ...Object.fromEntries(FIGURES.map((name) => [name, 0n])) } as Record<string, bigint>;
  const details = { lines: 0n };
  for (let cursor: string | undefined; ; ) {
    const page = await panel.transactions.list({ limit: '100', ...(cursor && { cursor }) });
    for (const { settled, transaction_id } of page.data) {
      for (const name of FIGURES) list[name] = (list[name] ?? 0n) + centavosOf(settled[name]);
      list[settled.gross > 0 ? 'in' : 'out'] =
        (list[settled.gross > 0 ? 'in' : 'out'] ?? 0n) + centavosOf(settled.gross);
      const { transaction } = await panel.detail.get({ transaction_id });
      details.lines += centavosOf(transaction.settled.net);
    }
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  readings.list = list;
  readings.detail = details;

  const file = async (open: typeof openStatementCsv, query: Record<string, string>) => {
    const { pieces } = await open(deps, {
      query: new URLSearchParams(query),
      accountId,
      mode: 'live',
      language: 'pt-BR',
    });
    let text = '';
    for await (const piece of pieces) text += piece;
    return text;
  };
  const transactions = await file(openTransactionsCsv, { format: 'iso' });
  readings['transactions.csv'] = { ...columnSums(transactions, FIGURES), 'other signs': otherSigns(transactions) };
  // The same in Excel's format, whose decimal comma is read back.
  const excel = (await file(openTransactionsCsv, {})).replaceAll(/(-?\d+),(\d\d)(?=;)/g, '$1.$2');
  readings['transactions.csv, for Excel'] = columnSums(
    excel,
    ['Valor', 'Taxa', 'Divisão', 'Estornado', 'Líquido'],
    ';',
  );

  for (const balance of BALANCES) {
    const { summary } = await panel.statement.get({ balance, ...days });
    let moved = 0n;
    let taken = 0n;
    for (let cursor: string | null = null; ; ) {
      const page = await panel.statement.get({ balance, ...days, cursor });
      moved += sumOf(page.entries.map(({ amount }) => centavosOf(amount)));
      taken += sumOf(page.entries.map(({ fee }) => centavosOf(fee ?? 0)));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    readings[`statement, ${balance}`] = {
      ...inCentavos({ opening: summary?.opening ?? Number.NaN, closing: summary?.closing ?? Number.NaN }),
      moved,
      fees: taken,
    };
    const csv = await file(openStatementCsv, { balance, ...days, format: 'iso' });
    const { amount = 0n, fee = 0n } = columnSums(csv, ['amount', 'fee']);
    readings[`statement.csv, ${balance}`] = { moved: amount, fees: fee };
    const ofx = await file(openStatementOfx, { balance, ...days });
    readings[`statement.ofx, ${balance}`] = {
      moved: sumOf([...ofx.matchAll(/<TRNAMT>([-\d.]+)</g)].map(([, text]) => centavosOfText(text))),
      closing: centavosOfText(/<BALAMT>([-\d.]+)</.exec(ofx)?.[1]),
    };
  }
  return readings;
}

/** What was owed before a day, and what is owed now; no statement shows it. */
async function readOwed(deps: Deps, accountId: string, from: string): Promise<Record<string, bigint>> {
  const { rows } = await deps.db.pool.query<{ opening: bigint; closing: bigint }>(
    `SELECT coalesce(-sum(e.amount_centavos) FILTER (WHERE t.created_at < $2::timestamp AT TIME ZONE 'America/Sao_Paulo'), 0)::bigint AS opening,
      coalesce(-sum(e.amount_centavos), 0)::bigint AS closing
     FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id JOIN ledger_accounts a ON a.id = e.ledger_account_id
     WHERE a.account_id = $1 AND a.kind = 'owed'`,
    [accountId, from],
  );
  return { ...rows[0] };
}

const centavosOf = (reais: number): bigint => BigInt(Math.round(reais * 100));
const centavosOfText = (text: string | undefined): bigint => BigInt((text ?? '').replace('.', ''));
const sumOf = (centavos: readonly bigint[]): bigint => centavos.reduce((sum, one) => sum + one, 0n);
const inCentavos = (reais: Record<string, number>): Record<string, bigint> =>
  Object.fromEntries(Object.entries(reais).map(([name, amount]) => [name, centavosOf(amount)]));

/** How many rows have a requested and a moved amount of opposite signs. */
function otherSigns(csv: string): bigint {
  const [head = [], ...rows] = readCsv(csv, ',');
  const [asked, moved] = ['requested_amount', 'gross'].map((name) => head.indexOf(name));
  return BigInt(rows.filter((row) => Number(row[asked ?? -1]) * Number(row[moved ?? -1]) < 0).length);
}

function columnSums(csv: string, names: readonly string[], separator = ','): Record<string, bigint> {
  const [head = [], ...rows] = readCsv(csv, separator);
  return Object.fromEntries(
    names.map((name) => {
      const at = head.indexOf(name);
      if (at < 0) throw new Error(`The file has no column ${name}, but ${head.join(', ')}.`);
      return [name, sumOf(rows.map((row) => (row[at] === '' ? 0n : centavosOfText(row[at]))))];
    }),
  );
}
