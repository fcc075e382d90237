import { DISPLAY_STATUSES, type DisplayStatus } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES, type ListedType } from '#domain/transactions/transaction-states.ts';
import { dayStart, nextDayStart } from '#domain/values/business-day.ts';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/values/money.ts';

export const PERIODS = ['hoje', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

/** What a list is narrowed to. Days are `YYYY-MM-DD` of São Paulo, the last one included; amounts are in reais. */
export type Filters = {
  text: string;
  types: readonly ListedType[];
  statuses: readonly DisplayStatus[];
  /** Which date the period and the days are about. */
  by: 'created' | 'paid';
  /** Counted back from today; with it there are no days. */
  period: Period | null;
  from: string | null;
  to: string | null;
  min: number | null;
  max: number | null;
};

export const NO_FILTERS: Filters = {
  text: '',
  types: [],
  statuses: [],
  by: 'created',
  period: null,
  from: null,
  to: null,
  min: null,
  max: null,
};

/** In an address: by the date of payment. */
const PAID_WORD = 'pagamento';
const DAY_MS = 24 * 60 * 60_000;
const DAYS: Record<Period, number> = { hoje: 1, '7d': 7, '30d': 30, '90d': 90 };
const AMOUNT_MAX = toBrl(AMOUNT_CENTAVOS_MAX);

/** The filters of an address; what is none is left out, because people edit addresses. */
export function readFilters(params: URLSearchParams): Filters {
  const list = <T extends string>(name: string, known: readonly T[]): T[] =>
    (params.get(name) ?? '').split(',').filter((part): part is T => (known as readonly string[]).includes(part));
  const period = PERIODS.find((known) => known === params.get('periodo')) ?? null;
  const day = (name: string) => {
    const text = params.get(name) ?? '';
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
  };
  const amount = (name: string) => {
    const text = params.get(name) ?? '';
    const value = Number(text);
    return /^\d{1,7}(\.\d{1,2})?$/.test(text) && value > 0 && value <= AMOUNT_MAX ? value : null;
  };
  return {
    text: params.get('q') ?? '',
    types: list('tipo', LISTED_TYPES),
    statuses: list('status', DISPLAY_STATUSES),
    by: params.get('data') === PAID_WORD ? 'paid' : 'created',
    period,
    from: period ? null : day('de'),
    to: period ? null : day('ate'),
    min: amount('min'),
    max: amount('max'),
  };
}

/** The query of an address that has these filters, with its `?`; empty for none. */
export function writeFilters(filters: Filters): string {
  const params = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value !== null && value !== '') params.set(name, String(value));
  };
  set('q', filters.text);
  set('tipo', filters.types.join(','));
  set('status', filters.statuses.join(','));
  set('data', filters.by === 'paid' ? PAID_WORD : null);
  set('periodo', filters.period);
  set('de', filters.from);
  set('ate', filters.to);
  set('min', filters.min);
  set('max', filters.max);
  // Commas are legal there, and an address is read by people.
  const query = params.toString().replaceAll('%2C', ',');
  return query === '' ? '' : `?${query}`;
}

/** What a tall screen shows and a little more. */
const PAGE_SIZE = '50';

/** The list under these filters, page by page, as transactions.list takes it. */
export const listInput = (filters: Filters, now: Date) => ({ ...filtersInput(filters, now), limit: PAGE_SIZE });

/** What they leave of it, for a list or a file; `now` is what periods are counted from. */
export function filtersInput(filters: Filters, now: Date) {
  const { text, types, statuses, by, min, max } = filters;
  const [from, to] = bounds(filters, now);
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(types.length > 0 ? { type: types.join(',') } : {}),
    ...(statuses.length > 0 ? { display_status: statuses.join(',') } : {}),
    ...(from ? { [by === 'paid' ? 'paid_from' : 'from']: from.toISOString() } : {}),
    ...(to ? { [by === 'paid' ? 'paid_to' : 'to']: to.toISOString() } : {}),
    ...(min === null ? {} : { min_amount: String(min) }),
    ...(max === null ? {} : { max_amount: String(max) }),
  };
}

/** Whether anything is left out by them. */
export const isFiltered = ({ by: _by, ...filters }: Filters): boolean =>
  writeFilters({ ...filters, by: 'created' }) !== '';

function bounds({ period, from, to }: Filters, now: Date): [Date | null, Date | null] {
  if (period) return [dayStart(new Date(now.getTime() - (DAYS[period] - 1) * DAY_MS)), null];
  return [from === null ? null : dayStart(noonOf(from)), to === null ? null : nextDayStart(noonOf(to))];
}

/** An instant of that day in São Paulo, whose zone was never further than this from UTC. */
const noonOf = (day: string) => new Date(`${day}T15:00:00Z`);
