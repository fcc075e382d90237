import { type FieldIssue, type Issue, issueOf } from '../errors/issues.ts';
import { parseDocument } from '../values/documents.ts';
import { isCalendarDay } from '../values/is-calendar-day.ts';
import { isUnprintable } from '../values/typed-name.ts';
import type { KycKind } from './kyc.ts';

/**
 * The form by which a merchant is verified: its fields and their rules. The browser and the server
 * use the same table.
 */

/** `text` with its greatest length in code points; `optional` fields may be empty. */
type Rule =
  | { is: 'text'; max: number; optional?: true }
  | { is: 'cpf' | 'cnpj' | 'past_date' | 'adult_birth' | 'zip' | 'state' | 'reais' }
  | { is: 'site'; optional: true };

const text = (max: number): Rule => ({ is: 'text', max });

const ADDRESS = {
  zip: { is: 'zip' },
  street: text(200),
  number: text(20),
  complement: { is: 'text', max: 100, optional: true },
  district: text(100),
  city: text(100),
  state: { is: 'state' },
} as const satisfies Record<string, Rule>;

export const KYC_FIELDS = {
  company: {
    legal_name: text(200),
    trade_name: { is: 'text', max: 200, optional: true },
    cnpj: { is: 'cnpj' },
    opened_on: { is: 'past_date' },
    site: { is: 'site', optional: true },
    monthly_volume: { is: 'reais' },
    ...ADDRESS,
    representative_name: text(200),
    representative_cpf: { is: 'cpf' },
  },
  person: {
    name: text(200),
    cpf: { is: 'cpf' },
    born_on: { is: 'adult_birth' },
    occupation: text(100),
    ...ADDRESS,
  },
} as const satisfies Record<KycKind, Record<string, Rule>>;

export type KycField<K extends KycKind = KycKind> = K extends KycKind ? keyof (typeof KYC_FIELDS)[K] : never;
/** The typed values by field; all are text. */
export type KycForm<K extends KycKind = KycKind> = K extends KycKind
  ? { kind: K } & Record<KycField<K>, string>
  : never;

/** The states and the Federal District, by IBGE. */
export const STATES = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ');

const ADULT_YEARS = 18;
const UNDER_AGE = issueOf('under_age', { years: ADULT_YEARS });
/** No living person was born and no existing company was opened earlier. */
const YEAR_MIN = 1850;
/** R$ 1 billion a month: more is a typing mistake. */
const REAIS_MAX = 1_000_000_000;
const SITE_LENGTH_MAX = 200;

/**
 * Returns what is wrong with a field; `null` when nothing is. `today` is `YYYY-MM-DD` in São Paulo;
 * without it a date need only exist.
 * @throws RangeError for a field that the kind does not have.
 */
export function kycFieldIssue(kind: KycKind, field: string, value: string, today?: string): Issue | null {
  const rule = (KYC_FIELDS[kind] as Record<string, Rule>)[field];
  if (!rule) throw new RangeError(`There is no field ${field}.`);
  const typed = value.trim();
  if (typed === '') return 'optional' in rule ? null : issueOf('empty');
  // Control characters would act on the operator's terminal; the others hide what is really there.
  if (isUnprintable(typed)) return issueOf('invalid_characters');
  switch (rule.is) {
    case 'text':
      return Array.from(typed).length > rule.max ? issueOf('too_long', { max: rule.max }) : null;
    case 'cpf':
    case 'cnpj':
      return parseDocument(typed, rule.is) === null ? issueOf('not_document', { type: rule.is.toUpperCase() }) : null;
    case 'past_date':
      return dateIssue(typed, today);
    case 'adult_birth':
      return dateIssue(typed, today) ?? (today !== undefined && isMinor(typed, today) ? UNDER_AGE : null);
    case 'zip':
      return /^\d{5}-?\d{3}$/.test(typed) ? null : issueOf('not_zip_code');
    case 'state':
      return STATES.includes(typed.toUpperCase()) ? null : issueOf('not_state');
    case 'reais':
      return /^\d{1,10}$/.test(typed) && Number(typed) > 0 && Number(typed) <= REAIS_MAX
        ? null
        : issueOf('not_whole_reais');
    case 'site':
      return siteOf(typed) === null ? issueOf('not_site') : null;
  }
}

/** Returns every issue of a form, in the order of its fields. */
export function kycFormIssues(form: KycForm, today: string): FieldIssue[] {
  const values = form as Record<string, string>;
  return Object.keys(KYC_FIELDS[form.kind]).flatMap((field) => {
    const issue = kycFieldIssue(form.kind, field, values[field] ?? '', today);
    return issue ? [{ field, ...issue }] : [];
  });
}

/**
 * Returns a form without issues in one spelling: documents bare, the zip code as eight digits, the
 * site as an address with its scheme.
 */
export function normaliseKycForm(form: KycForm): KycForm {
  const values = form as Record<string, string>;
  const rules = Object.entries<Rule>(KYC_FIELDS[form.kind]);
  const entries = rules.map(([field, rule]) => [field, normalise(rule, (values[field] ?? '').trim())]);
  return { kind: form.kind, ...Object.fromEntries(entries) } as KycForm;
}

function normalise(rule: Rule, typed: string): string {
  switch (rule.is) {
    case 'cpf':
    case 'cnpj':
      return parseDocument(typed, rule.is) ?? typed;
    case 'zip':
      return typed.replace('-', '');
    case 'state':
      return typed.toUpperCase();
    case 'reais':
      return String(Number(typed));
    case 'site':
      return typed === '' ? '' : (siteOf(typed) ?? typed);
    default:
      return typed.normalize('NFC');
  }
}

function dateIssue(typed: string, today: string | undefined): Issue | null {
  if (!isCalendarDay(typed) || Number(typed.slice(0, 4)) < YEAR_MIN) return issueOf('no_such_date');
  return today !== undefined && typed > today ? issueOf('in_future') : null;
}

/** Dates compare as texts; a person who was born on 29 February comes of age on 1 March. */
function isMinor(bornOn: string, today: string): boolean {
  const adultOn = `${String(Number(bornOn.slice(0, 4)) + ADULT_YEARS)}${bornOn.slice(4)}`;
  return adultOn > today;
}

/**
 * An http(s) address of a host with a dot, without a password in it; null for any other text.
 * `https://` is put before a bare host.
 */
function siteOf(typed: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (address.length > SITE_LENGTH_MAX || !URL.canParse(address)) return null;
  const url = new URL(address);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.hostname.includes('.') && url.username === '' && url.password === '' ? url.href : null;
}
