import { openDatabase } from '#db/connection/database.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { assertBalanced } from './assert-balanced.ts';
import { createCharges } from './create-charges.ts';
import { load, median, medians, ROUND_SECONDS, ROUNDS, type Side, WARM_UP_SECONDS } from './measure.ts';
import { inTurns, operations } from './operations.ts';
import { assertSameAnswers } from './same-work.ts';
import { startBase } from './start-base.ts';
import { takeTurns } from './take-turns.ts';
import { withClosing } from './with-closing.ts';

export type WebProcessesRate = {
  name: string;
  one: Side;
  two: Side;
  /** Median of the rounds' ratios: requests a second of two processes over those of one. */
  ratio: number;
};

/**
 * Measures the same load on one web process and on two of one installation, in turns: the same
 * number of connections, to one process or half to each. The second process runs all the time,
 * without requests while the first is measured alone. Ends with the ledger check.
 */
export const measureWebProcesses = (progress: (text: string) => void): Promise<WebProcessesRate[]> =>
  withClosing(async (closing) => {
    progress('Starting PostgreSQL, sandbox and two web processes');
    const base = await startBase(closing);
    const { apiKey, postgres } = base;
    const { ownerUrl } = postgres;
    const first = await base.startWeb('web');
    // As in production, an answer does not show which process gave it.
    const second = await base.startWeb('web-2', { PUBLIC_URL: first.url.replace('127.0.0.1', 'localhost') });
    const installation = { load: base.startLoad(), ownerUrl };
    const single = operations(apiKey, await createCharges(first.url, apiKey));
    await assertSameAnswers(first.url, second.url, single);

    const targets = { one: [first], two: [first, second] };
    const rates: WebProcessesRate[] = [];
    for (const operation of [...single, inTurns('reads and charges', single)]) {
      progress(`Measuring: ${operation.name}, one web process and two`);
      for (const side of ['one', 'two'] as const) await load(installation, targets[side], operation, WARM_UP_SECONDS);
      const rounds = await takeTurns(['one', 'two'], ROUNDS, (side) =>
        load(installation, targets[side], operation, ROUND_SECONDS),
      );
      rates.push({ name: operation.name, ...compareRounds(rounds) });
    }
    const owner = openDatabase(ownerUrl, { max: 1 });
    closing.push(() => owner.close());
    assertBalanced(await checkLedger(owner.pool));
    return rates;
  });

/**
 * Medians of the rounds. The ratio is the median of the rounds' ratios and not the ratio of the
 * medians, because the two sides of a round ran on the machine in the same state.
 */
export const compareRounds = (rounds: readonly Record<'one' | 'two', Side>[]): Omit<WebProcessesRate, 'name'> => ({
  one: medians(rounds.map(({ one }) => one)),
  two: medians(rounds.map(({ two }) => two)),
  ratio: median(rounds.map(({ one, two }) => two.requestsPerSecond / one.requestsPerSecond)),
});
