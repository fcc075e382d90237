import { checkLedger } from '#db/ledger/check-ledger.ts';
import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena, Subject } from '../subject.ts';
import { bookDiscrepancies } from './books.ts';

type Opened = Awaited<ReturnType<TestService['openAccount']>>;
type Race = {
  arena: Arena;
  service: TestService;
  /** Opens a test account with a balance of so many reais. */
  rich(reais: number, limits?: Record<string, number>): Promise<Opened>;
  /** Sets the clock; `stands`: it stays there, however slow the machine is. */
  setTime(instant: string, stands?: 'stands'): void;
};

/** Noon in São Paulo: no night's limit counts. */
const NOON = '2026-11-19T15:00:00.000Z';

/**
 * Many requests at once for the same money: never more goes out than there is or is allowed, and
 * nothing goes out twice.
 */
export const moneyRaces: Subject = {
  name: 'money races',
  async run(arena) {
    let baseMs = Date.parse(NOON);
    let since = performance.now();
    let stands = false;
    const service = await arena.start({
      variables: { DEMO: 'true', RATE_LIMIT_PER_KEY: '1000000' },
      clock: () => new Date(baseMs + (stands ? 0 : Math.floor(performance.now() - since))),
    });
    const setTime: Race['setTime'] = (instant, how) => {
      stands = how === 'stands';
      baseMs = Date.parse(instant);
      since = performance.now();
    };
    const rich: Race['rich'] = async (reais, limits = {}) => {
      const named = Object.entries(limits).map(([name, value]) => ({ name, centavos: BigInt(value * 100) }));
      const account = await service.openAccount({ limits: named });
      await earn(service, account, reais);
      return account;
    };
    const race: Race = { arena, service, rich, setTime };
    await raceForBalance(race);
    await raceForDailyLimit(race);
    await raceUnderOneKey(race);
    await raceForRefunds(race);
    await raceCancelAndPay(race);
    // Last, because it moves the clock on: nothing that has to happen at noon may be left.
    await raceOverMidnight(race);

    const tally = arena.attack('the books afterwards');
    const { discrepancies, transfers } = await checkLedger(service.deps.db.pool);
    for (const { rule, detail } of discrepancies) tally(rule, detail);
    tally(`the ledger of ${transfers} transfers`, null);
    for (const discrepancy of await bookDiscrepancies(service)) tally("the providers' books", discrepancy);
    tally("the providers' books", null);
  },
};

async function charge(service: TestService, account: Opened, reais: number): Promise<string> {
  const { body, text, status } = await service.post('/payments/transactions', account.apiKey, { amount: reais });
  const id = (body.data as { transaction_id?: string } | undefined)?.transaction_id;
  if (!id) throw new Error(`A charge was answered ${status}: ${text}`);
  return id;
}

async function earn(service: TestService, account: Opened, reais: number): Promise<string> {
  const id = await charge(service, account, reais);
  await service.pay(id);
  await service.until('the charge is paid', async () =>
    (await statusOf(service, account, id)) === 'paid' ? true : null,
  );
  return id;
}

async function statusOf(service: TestService, { apiKey }: Opened, id: string): Promise<string> {
  const { body } = await service.get(`/payments/transactions/${id}`, apiKey);
  return (body.data as { status: string }).status;
}

type Outcome = { status: number; error: string };

/**
 * Sends all requests at once. A request that gets 429 or 503 is repeated, so that in the end each
 * is decided.
 */
async function allAtOnce(
  times: number,
  request: (index: number) => Promise<{ status: number; body: Record<string, unknown> }>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let left = Array.from({ length: times }, (_, index) => index);
  for (let round = 0; round < ROUNDS_MAX && left.length > 0; round++) {
    const answers = await Promise.all(left.map(async (index) => ({ index, ...(await request(index)) })));
    left = [];
    for (const { index, status, body } of answers) {
      if (status === 429 || status === 503) left.push(index);
      else outcomes.push({ status, error: String(body.error ?? body.message ?? '') });
    }
  }
  return [...outcomes, ...left.map(() => ({ status: 429, error: 'never decided' }))];
}

const ROUNDS_MAX = 60;

/**
 * Why the number of requests that got through is wrong; null: it is right. `rejection`: the error
 * that the others have to get. `returned`: how many failed meanwhile, so that their money could go
 * out once more.
 */
function countError(outcomes: readonly Outcome[], expected: number, rejection: RegExp, returned = 0): string | null {
  const done = outcomes.filter(({ status }) => status < 300).length;
  const odd = outcomes.find(({ status, error }) => status >= 300 && !(status === 400 && rejection.test(error)));
  if (odd) return `one was answered ${odd.status} ${odd.error}`;
  if (done >= expected && done <= expected + returned) return null;
  return `${done} got through instead of ${expected}, and ${returned} failed`;
}

/**
 * Counts withdrawals whose money came back: on a slow machine the provider's answers may come too
 * late.
 */
async function countFailed(service: TestService, { accountId }: Opened): Promise<number> {
  const { rows } = await service.deps.db.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM transactions WHERE account_id = $1 AND status = 'failed'",
    [accountId],
  );
  return rows[0]?.count ?? 0;
}

const pix = (service: TestService, { apiKey }: Opened, reais: number, headers: Record<string, string> = {}) =>
  service.post(
    '/payments/transfers/pix',
    apiKey,
    { amount: reais, pixKey: 'recebedor@example.com', pixKeyType: 'EMAIL' },
    headers,
  );
const crypto = (service: TestService, { apiKey }: Opened, reais: number) =>
  service.post('/payments/transfers/crypto', apiKey, {
    amount: reais,
    currency: 'ETH',
    wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  });

async function raceForBalance({ arena, service, rich }: Race): Promise<void> {
  // ASVS 2.3.4
  const tally = arena.attack('withdrawals at once for one balance');
  for (let round = 0; round < arena.times(1, 5); round++) {
    const account = await rich(1_000);
    const outcomes = await allAtOnce(100, () => pix(service, account, 20));
    tally(
      '100 withdrawals of R$ 20 from R$ 1,000',
      countError(outcomes, 50, /Saldo insuficiente/, await countFailed(service, account)),
    );
    const mixed = await rich(1_000);
    const both = await allAtOnce(40, (index) => (index % 2 ? pix(service, mixed, 100) : crypto(service, mixed, 100)));
    tally(
      '40 withdrawals of R$ 100 by PIX and crypto from R$ 1,000',
      countError(both, 10, /Saldo insuficiente/, await countFailed(service, mixed)),
    );
  }
}

async function raceForDailyLimit({ arena, service, rich }: Race): Promise<void> {
  // ASVS 2.3.2
  const tally = arena.attack("withdrawals at once at the daily limit's edge");
  for (let round = 0; round < arena.times(1, 5); round++) {
    const account = await rich(1_000, { daily_limit_out_pix: 300 });
    const outcomes = await allAtOnce(60, () => pix(service, account, 10));
    tally(
      '60 withdrawals of R$ 10 under R$ 300 a day',
      countError(outcomes, 30, /Limite diário/, await countFailed(service, account)),
    );
    const { status } = await pix(service, account, 0.01);
    tally('one centavo more', status === 400 ? null : `${status}`);
  }
}

async function raceUnderOneKey({ arena, service, rich }: Race): Promise<void> {
  const tally = arena.attack('the same Idempotency-Key at once');
  for (let round = 0; round < arena.times(1, 5); round++) {
    const account = await rich(500);
    const key = { 'idempotency-key': `race-${round}` };
    const answers = await Promise.all(Array.from({ length: 100 }, () => pix(service, account, 100, key)));
    const ids = new Set(
      answers.flatMap(({ status, body }) =>
        status === 200 ? [(body.data as { transaction_id: string }).transaction_id] : [],
      ),
    );
    tally('100 withdrawals under one key', ids.size === 1 ? null : `${ids.size} withdrawals were made`);
    const other = await pix(service, account, 101, key);
    tally('another amount under the key', other.status === 422 ? null : `${other.status}`);
    const { rows } = await service.deps.db.pool.query(
      "SELECT count(*)::int AS count FROM transactions WHERE account_id = $1 AND type = 'pix_out'",
      [account.accountId],
    );
    tally('withdrawals in the database', rows[0].count === 1 ? null : `${rows[0].count}`);
  }
}

async function raceForRefunds({ arena, service, rich }: Race): Promise<void> {
  const tally = arena.attack('refunds at once of one charge');
  for (let round = 0; round < arena.times(1, 5); round++) {
    const account = await rich(200);
    const id = await earn(service, account, 100);
    const outcomes = await allAtOnce(50, () =>
      service.post(`/payments/transactions/${id}/refund`, account.apiKey, { amount: 10 }),
    );
    tally(
      '50 refunds of R$ 10 of a charge of R$ 100',
      countError(outcomes, 10, /disponível para devolução|não pode ser devolvida/),
    );

    const poor = await service.openAccount({});
    const only = await earn(service, poor, 100);
    const mixed = await allAtOnce(20, (index) =>
      index % 2 ? service.post(`/payments/transactions/${only}/refund`, poor.apiKey, {}) : pix(service, poor, 100),
    );
    const done = mixed.filter(({ status }) => status < 300).length;
    tally('refund and withdrawal of the same R$ 100', done === 1 ? null : `${done} got through`);
  }
}

async function raceCancelAndPay({ arena, service }: Race): Promise<void> {
  const tally = arena.attack('cancelling while it is paid');
  const account = await service.openAccount({});
  for (let time = 0; time < arena.times(8, 60); time++) {
    const id = await charge(service, account, 7);
    const [paid, cancelled] = await Promise.all([
      service.pay(id).then(
        () => true,
        () => false,
      ),
      service.post(`/payments/transactions/${id}/cancel`, account.apiKey, {}).then(({ status }) => status === 200),
    ]);
    const status = await service.until('the charge ends', async () => {
      const now = await statusOf(service, account, id);
      return now === 'pending' ? null : now;
    });
    const isConsistent = paid ? status === 'paid' || status === 'review' || cancelled : status === 'cancelled';
    tally(
      `paid: ${paid}, cancelled: ${cancelled}`,
      isConsistent && !(paid && status === 'cancelled') ? null : `it is ${status}`,
    );
  }
}

async function raceOverMidnight({ arena, service, rich, setTime }: Race): Promise<void> {
  const tally = arena.attack('withdrawals over the edges of night and day');
  const account = await rich(5_000, { daily_limit_out_pix: 300, night_limit_out_pix: 400 });
  const burst = () => allAtOnce(40, () => pix(service, account, 10));
  // 20:00, 23:59:59.9 and 00:00:00.1 in São Paulo.
  setTime('2026-11-19T23:00:00.000Z');
  tally('in the evening: the day’s R$ 300', countError(await burst(), 30, /Limite diário/));
  setTime('2026-11-20T02:59:59.900Z', 'stands');
  tally(
    'a moment before midnight: none',
    countError((await allAtOnce(1, () => pix(service, account, 10))).slice(0, 1), 0, /Limite diário/),
  );
  setTime('2026-11-20T03:00:00.100Z');
  tally('after midnight: what is left of the night’s R$ 400', countError(await burst(), 10, /Limite noturno/));
  setTime('2026-11-20T09:00:00.100Z');
  tally('in the morning: what is left of the day’s R$ 300', countError(await burst(), 20, /Limite diário/));
}
