/**
 * Everything that can be wrong with a field, by its stable code, with the names of the params that
 * its text needs. The texts are in `src/messages`, under `issues`.
 */
export const ISSUES = {
  /**
   * Rejected without a code of its own, of what no system sends to REST: by the pages' schemas,
   * and of an assistant's arguments.
   */
  not_valid: [],

  required: [],
  not_text: [],
  empty: [],
  too_long: ['max'],
  invalid_characters: [],
  internet_address: [],

  /** `values` without the last one, separated by commas. */
  not_one_of: ['values', 'last'],
  not_exactly_one_of: ['values', 'last'],
  not_some_of: ['values'],
  not_yes_or_no: [],
  not_integer: ['min', 'max'],
  not_between: ['min', 'max'],
  missing: [],
  sent_twice: [],

  not_amount: [],
  /** `max` as people read it, e.g. `R$ 1.000.000,00`. */
  amount_too_large: ['max'],
  not_amount_parameter: ['min', 'max'],
  not_reais: [],
  not_reais_with_decimals: [],
  not_whole_reais: [],

  not_email: [],
  not_ascii_email: [],
  not_phone: [],
  /** `type` in capitals. */
  not_document: ['type'],
  not_cpf_or_cnpj: [],
  not_state: [],
  not_zip_code: [],
  not_site: [],
  required_with: ['field'],

  not_metadata: [],
  too_many_names: ['max'],
  not_metadata_name: ['max'],
  not_metadata_pair: [],

  not_uuid: [],
  not_cursor: [],
  unknown_currency: [],
  /** Neither in the request nor on the account. */
  currency_not_chosen: [],
  /** Not offered by the processor at the moment. */
  currency_not_active: [],
  /** The account has no crypto processor, or may not use it. */
  no_currency_active: [],
  unknown_notification: [],

  not_date: [],
  not_instant: [],
  not_day: [],
  not_iso_day: [],
  not_calendar_date: [],
  /** Of a date that people pick, in whatever order their browser shows it. */
  no_such_date: [],
  not_repeat: [],
  repeat_too_long: ['years'],
  in_future: [],
  too_long_ago: ['days'],
  not_after: ['field'],
  not_duration: [],
  clock_too_far: ['days'],
  clock_too_far_ahead: ['days'],
  under_age: ['years'],
  not_in_coming_years: ['years'],
  days_reversed: [],
  too_many_days: ['max'],

  not_pix_key_type: [],
  not_pix_key: ['type'],
  /** It has the form of its type, but DICT does not have it. */
  pix_key_not_registered: [],
  split_amount_missing: [],
  split_receiver_missing: [],
  split_receiver_not_found: [],
  split_receiver_is_self: [],
  split_above_net: [],

  url_not_https: [],
  url_incomplete: [],
  url_with_credentials: [],
  url_port: [],
  url_inside_network: [],

  not_certificate: [],
  not_private_key: [],
  not_key_of_certificate: [],
  certificate_expired: [],
  not_pkcs12: [],

  not_ip_range: ['range'],
  too_many_ip_ranges: ['max'],
  no_permission: [],
  not_for_assistant: [],
  cap_missing: [],
  day_cap_below_call_cap: [],
  document_missing: ['kind'],
  range_reversed: [],

  /** `columns` as the file has them. */
  csv_columns: ['columns'],
  csv_cells: ['cells', 'columns'],
  csv_quotes: [],
  csv_no_rows: [],
  csv_too_many_rows: ['max'],
  csv_too_large: ['kilobytes'],

  /** Of an amount in a file; both as people read them, as above. */
  below_minimum: ['minimum'],
  above_maximum: ['maximum'],
} as const satisfies Record<string, readonly string[]>;

export type IssueCode = keyof typeof ISSUES;

/** Issues of fields that only pages have or send. */
const PANEL_ISSUES: ReadonlySet<IssueCode> = new Set([
  ...(['missing', 'not_whole_reais', 'not_cpf_or_cnpj', 'not_state', 'not_zip_code', 'not_site'] as const),
  ...([
    'no_such_date',
    'unknown_notification',
    'not_instant',
    'not_day',
    'in_future',
    'under_age',
    'not_in_coming_years',
  ] as const),
  ...(['not_certificate', 'not_private_key', 'not_key_of_certificate'] as const),
  ...(['certificate_expired', 'not_pkcs12', 'not_ip_range', 'too_many_ip_ranges', 'no_permission'] as const),
  ...(['not_for_assistant', 'cap_missing', 'day_cap_below_call_cap'] as const),
  ...(['document_missing', 'range_reversed', 'csv_columns', 'csv_cells', 'csv_quotes', 'csv_no_rows'] as const),
  ...(['csv_too_many_rows', 'csv_too_large', 'below_minimum', 'above_maximum'] as const),
]);

/**
 * The issue codes of the REST API. Integrators' programs compare them, so they are never renamed.
 */
export const API_ISSUE_CODES: readonly IssueCode[] = (Object.keys(ISSUES) as IssueCode[]).filter(
  (code) => !PANEL_ISSUES.has(code),
);

export type IssueParams = Readonly<Record<string, string | number>>;

/** An issue without its text, which depends on the language. */
export type Issue = { readonly issue: IssueCode; readonly params: IssueParams };

/** One issue of one input field; `field` is its name on the wire. */
export type FieldIssue = Issue & { readonly field: string };

/** The params that a code takes; none where it takes none. */
export type ParamsOf<C extends IssueCode> = (typeof ISSUES)[C] extends readonly []
  ? []
  : [params: Readonly<Record<(typeof ISSUES)[C][number], string | number>>];

export const issueOf = <C extends IssueCode>(issue: C, ...[params]: ParamsOf<C>): Issue => ({
  issue,
  params: params ?? {},
});

export const fieldIssue = <C extends IssueCode>(field: string, issue: C, ...params: ParamsOf<C>): FieldIssue => ({
  field,
  ...issueOf(issue, ...params),
});
