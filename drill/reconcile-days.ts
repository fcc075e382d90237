import { openDatabase } from '#db/connection/database.ts';
import { amountText } from '#domain/reconciliation/reconciled-amounts.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { type ComparedDay, reconcileNow } from '#services/reconciliation/reconcile-now.ts';

const DAY_MS = 86_400_000;
/** As long as `trilho reconcile` waits: the day of a long drill has hundreds of pages. */
const WAIT_MAX_MS = 3 * 60_000;
/** How many items of a day are shown; they usually have one cause. */
const ITEMS_SHOWN_MAX = 5;

export type Reconciliation = {
  /**
   * The sum of the unexplained differences of all days, each without its sign, in reais and in
   * coins together: it has to be zero.
   */
  difference: number;
  /** Days that differ, or that could not be compared. */
  broken: string[];
};

/**
 * Has the installation of this database compare the days from one instant to another with its
 * providers' books, PIX and crypto, as `trilho reconcile` does.
 */
export async function reconcileDays(databaseUrl: string, from: Date, to: Date): Promise<Reconciliation> {
  const db = openDatabase(databaseUrl, { max: 1 });
  const deps = { db, clock: () => new Date(), wakeWorkers: () => {} };
  const days: ComparedDay[] = [];
  try {
    for (let at = from; dateInSaoPaulo(at) <= dateInSaoPaulo(to); at = new Date(at.getTime() + DAY_MS)) {
      const day = dateInSaoPaulo(at);
      const compared = await reconcileNow(deps, { day, rail: null }, WAIT_MAX_MS);
      if (!compared) return { difference: Number.NaN, broken: [`${day} is not reconciled after ${WAIT_MAX_MS} ms`] };
      days.push(...compared);
    }
  } finally {
    await db.close();
  }
  return judgeDays(days);
}

type JudgedDay = Pick<ComparedDay, 'day' | 'rail' | 'currency' | 'unexplainedAmount' | 'unreadable'> & {
  items: Pick<ComparedDay['items'][number], 'why' | 'kind' | 'key' | 'unexplainedAmount'>[];
};

/** Returns why the days fail a drill. One in which no day of PIX was compared proves nothing. */
export function judgeDays(days: readonly JudgedDay[]): Reconciliation {
  const differing = days.filter(({ unexplainedAmount, unreadable }) => unexplainedAmount !== 0n || unreadable > 0);
  return {
    difference: days.reduce((sum, one) => sum + Number(amountText(one.unexplainedAmount, one.currency)), 0),
    broken: [
      ...(days.some(({ currency }) => currency === 'BRL') ? [] : ['no day of PIX was reconciled']),
      ...differing.map(describe),
    ],
  };
}

function describe({ day, rail, currency, unexplainedAmount, unreadable, items }: JudgedDay): string {
  const text = (amount: bigint) => `${amountText(amount, currency)} ${currency}`;
  const named = items
    .filter((item) => item.unexplainedAmount !== 0n)
    .slice(0, ITEMS_SHOWN_MAX)
    .map((item) => `${item.why} ${item.kind} ${item.key} ${text(item.unexplainedAmount)}`);
  return `${day}, ${rail}: a difference of ${text(unexplainedAmount)}, ${unreadable} unreadable: ${named.join('; ')}`;
}
