import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { addDays, dayOf, startOfDay } from '#domain/reports/statement-period.ts';
import { DISPLAY_STATUSES } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { nextDayStart } from '#domain/values/business-day.ts';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/values/money.ts';
import { parseAsDay } from '#panel/shell/parse-as-day.ts';
import { parseAsWord } from '#panel/shell/parse-as-word.ts';

export const PERIODS = ['hoje', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS: Record<Period, number> = { hoje: 1, '7d': 7, '30d': 30, '90d': 90 };
const AMOUNT_MAX = toBrl(AMOUNT_CENTAVOS_MAX);

const parseAsReais = createParser({
  parse: (text) =>
    /^\d{1,7}(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= AMOUNT_MAX ? Number(text) : null,
  serialize: String,
});

/**
 * The filters of the list. Days are `YYYY-MM-DD` of São Paulo, the last one included; amounts are
 * in reais.
 */
export const FILTERS = {
  text: parseAsString.withDefault(''),
  types: parseAsArrayOf(parseAsStringLiteral(LISTED_TYPES)).withDefault([]),
  statuses: parseAsArrayOf(parseAsStringLiteral(DISPLAY_STATUSES)).withDefault([]),
  /** The date that the period and the days are about. */
  by: parseAsWord({ created: 'criacao', paid: 'pagamento' }).withDefault('created'),
  /** Counted back from today; it excludes `from` and `to`. */
  period: parseAsStringLiteral(PERIODS),
  from: parseAsDay,
  to: parseAsDay,
  min: parseAsReais,
  max: parseAsReais,
};

/** Their names in the address, where they differ. */
export const FILTER_KEYS = {
  text: 'q',
  types: 'tipo',
  statuses: 'status',
  by: 'data',
  period: 'periodo',
  from: 'de',
  to: 'ate',
};

export type Filters = inferParserType<typeof FILTERS>;

const load = createLoader(FILTERS, { urlKeys: FILTER_KEYS });

/** Drops the days of filters that have a period, which is counted back from today. */
export const oneSpan = (filters: Filters): Filters => (filters.period ? { ...filters, from: null, to: null } : filters);

/** Reads the filters of an address; invalid ones are left out, because people edit addresses. */
export const readFilters = (search: URLSearchParams): Filters => oneSpan(load(search));

export const NO_FILTERS = load('');

/** The query of an address that has these filters, with its `?`; empty for none. */
export const writeFilters: (filters: Filters) => string = createSerializer(FILTERS, { urlKeys: FILTER_KEYS });

/** Rows of a page: what a tall screen shows, and a little more. */
const PAGE_SIZE = '50';

/** Returns the input of transactions.list for these filters, page by page. */
export const listInput = (filters: Filters, now: Date) => ({ ...filtersInput(filters, now), limit: PAGE_SIZE });

/** Returns the filters as a list or a file takes them; periods are counted back from `now`. */
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

/** Whether the filters leave anything out. */
export const isFiltered = ({ by: _by, ...filters }: Filters): boolean =>
  writeFilters({ ...filters, by: 'created' }) !== '';

function bounds({ period, from, to }: Filters, now: Date): [Date | null, Date | null] {
  if (period) return [startOfDay(addDays(dayOf(now), 1 - DAYS[period])), null];
  return [from === null ? null : startOfDay(from), to === null ? null : nextDayStart(noonOf(to))];
}

/** An instant of that day in São Paulo: 15:00 UTC is about noon there at any offset of its zone. */
const noonOf = (day: string) => new Date(`${day}T15:00:00Z`);
