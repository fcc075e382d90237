import { crc16 } from './br-code.ts';
import {
  type BrCodeIssue,
  type BrCodeNode,
  childOf,
  HEAD_LENGTH,
  isOfPix,
  issue,
  lengthIssues,
  locationIssues,
  readChain,
  wrongValue,
} from './br-code-chain.ts';
import { readRecurrence, UNRESERVED_FROM } from './read-recurrence.ts';

export type { BrCodeIssue, BrCodeNode } from './br-code-chain.ts';

/** The content of a code, as far as it could be read. */
export type BrCodeReading = {
  /**
   * The pasted text without line breaks, invisible characters and spaces around it; positions refer
   * to it.
   */
  text: string;
  fields: BrCodeNode[];
  /** Null where no field 63 was found at the end. */
  crc: { found: string; computed: string } | null;
  /**
   * What can be paid with it. `automatic`: nothing, it asks for a recurring authorisation (Pix
   * Automático) alone; `unknown`: no PIX code, or not readable as one.
   */
  kind: 'static' | 'dynamic' | 'automatic' | 'unknown';
  key: string | null;
  /** Where the payer's bank reads the charge, without scheme. */
  location: string | null;
  /**
   * Where the payer's bank reads the recurring authorisation that the code asks for, without
   * scheme: alone, or beside something to pay.
   */
  recurrence: string | null;
  /** How Pix Automático begins with this code; null without `recurrence`. */
  journey: 2 | 3 | 4 | null;
  txid: string | null;
  /** As the code has it; its format may be wrong. */
  amount: string | null;
  merchantName: string | null;
  merchantCity: string | null;
  message: string | null;
  /** `null`: the code does not say. */
  oneUse: boolean | null;
  issues: BrCodeIssue[];
};

/** API Pix's limit of `pixCopiaECola`. */
const BR_CODE_LENGTH_MAX = 512;
/** A longer text was pasted by mistake: the rest is ignored. */
const TEXT_LENGTH_MAX = 4_096;
const NAME_LENGTH_MAX = 25;
const CITY_LENGTH_MAX = 15;
const NO_TXID = '***';
const BREAKS = /[\r\n\u2028\u2029]+/g;
/**
 * Tabs, zero-width characters, the byte order mark, soft hyphens: what messengers and editors add.
 */
const INVISIBLE = /[\t\u00ad\u200b-\u200f\u2060\ufeff]/g;
const CRC_FIELD = /6304([0-9A-Fa-f]{4})$/;

/**
 * Reads a pasted text as a BR Code and returns every issue with its position (EMV MPM 1.1; the
 * central bank's manual of BR Code). Never throws.
 */
export function readBrCode(pasted: string): BrCodeReading {
  const { text, issues: cleaning } = clean(pasted.slice(0, TEXT_LENGTH_MAX));
  const { nodes, issues: chainIssues, whole } = readChain(text);
  const issues = [...cleaning, ...textIssues(text)];
  if (!issues.some(({ code }) => code === 'empty' || code === 'not_a_code')) {
    const end = endOfCrc(nodes);
    issues.push(...chainIssues.filter(({ at }) => at < end), ...placeIssues(nodes), ...crcIssues(text, nodes));
    if (end < text.length) issues.push(issue('after_crc', end, text.length - end));
    if (whole) issues.push(...missingFields(nodes, text.length), ...valueIssues(nodes), ...accountIssues(nodes));
  }
  const account = pixAccount(nodes);
  const recurrence = readRecurrence(nodes, account);
  if (whole) issues.push(...recurrence.issues);
  issues.sort((a, b) => a.at - b.at || a.length - b.length);
  const value = (path: string) => find(nodes, path)?.value ?? null;
  const key = child(account, '01');
  const location = child(account, '25');
  const isPix = account !== undefined || recurrence.location !== null;
  const initiation = value('01');
  const txid = value('62.05');
  return {
    text,
    fields: nodes,
    crc: crcOf(text),
    kind: location !== null ? 'dynamic' : key ? 'static' : recurrence.location !== null ? 'automatic' : 'unknown',
    key,
    location,
    recurrence: recurrence.location,
    journey: recurrence.journey,
    txid: txid === NO_TXID ? null : txid,
    amount: value('54'),
    merchantName: value('59'),
    merchantCity: value('60'),
    message: child(account, '02'),
    oneUse: initiation === '12' ? true : initiation === null || initiation === '11' ? (isPix ? false : null) : null,
    issues,
  };
}

/** A line break may stand between characters or in place of a space; the checksum decides which. */
function clean(pasted: string): { text: string; issues: BrCodeIssue[] } {
  const visible = pasted.replace(INVISIBLE, '').trim();
  const joined = visible.replace(BREAKS, '');
  if (joined === visible || crcIsRight(joined)) return { text: joined, issues: [] };
  const spaced = visible.replace(BREAKS, ' ');
  if (!crcIsRight(spaced)) return { text: joined, issues: [] };
  const at = visible.search(BREAKS);
  return { text: spaced, issues: [issue('line_break', at, 1, {}, 'warning')] };
}

function crcIsRight(text: string): boolean {
  const crc = crcOf(text);
  return crc !== null && crc.found === crc.computed;
}

function crcOf(text: string): BrCodeReading['crc'] {
  const found = CRC_FIELD.exec(text)?.[1];
  return found === undefined ? null : { found, computed: crc16(text.slice(0, -4)) };
}

function textIssues(text: string): BrCodeIssue[] {
  if (text === '') return [issue('empty', 0, 0)];
  if (!/^\d{4}/.test(text)) {
    // A code without its beginning is still distinguished from an address or a key.
    if (!CRC_FIELD.test(text)) return [issue('not_a_code', 0, text.length)];
  }
  const issues: BrCodeIssue[] = [];
  for (const { 0: found, index } of text.matchAll(/[^ -~]/gu)) {
    issues.push(issue('character', index, found.length, { found }));
    if (issues.length === CHARACTER_ISSUES_MAX) break;
  }
  if (text.length > BR_CODE_LENGTH_MAX) {
    const params = { found: String(text.length), allowed: String(BR_CODE_LENGTH_MAX) };
    issues.push(issue('too_long', BR_CODE_LENGTH_MAX, text.length - BR_CODE_LENGTH_MAX, params));
  }
  return issues;
}

/** Further ones add no information. */
const CHARACTER_ISSUES_MAX = 10;

function placeIssues(nodes: readonly BrCodeNode[]): BrCodeIssue[] {
  const [first] = nodes;
  if (!first || first.id === '00' || !nodes.some(({ id }) => id === '00')) return [];
  return [issue('first_field', first.at, 2, { field: first.id })];
}

/** The position at which the code ends; what follows is not part of it. */
function endOfCrc(nodes: readonly BrCodeNode[]): number {
  const crc = nodes.find(({ id }) => id === '63');
  return crc ? crc.at + HEAD_LENGTH + crc.value.length : Number.POSITIVE_INFINITY;
}

function crcIssues(text: string, nodes: readonly BrCodeNode[]): BrCodeIssue[] {
  const node = nodes.find(({ id }) => id === '63');
  if (node && node.length !== 4) {
    return [issue('crc_length', node.at + 2, 2, { found: String(node.length) })];
  }
  // Where the fields can't be read up to the checksum, the last eight characters may still be it.
  const found = node?.value ?? crcOf(text)?.found;
  const at = node ? node.at : text.length - HEAD_LENGTH - 4;
  if (found === undefined || found.length < 4) return [];
  const right = crc16(text.slice(0, at + HEAD_LENGTH));
  const params = { found, right };
  if (found === right) return [];
  if (found.toUpperCase() === right) return [issue('crc_case', at + HEAD_LENGTH, 4, params, 'warning')];
  const code = /^[0-9A-Fa-f]{4}$/.test(found) ? 'crc_wrong' : 'crc_not_hex';
  return [issue(code, at + HEAD_LENGTH, 4, params)];
}

const MANDATORY = ['00', '52', '53', '58', '59', '60', '63'];

/** A missing field is reported at the code's end, and the first one at its start. */
function missingFields(nodes: readonly BrCodeNode[], end: number): BrCodeIssue[] {
  const issues = MANDATORY.filter((id) => !nodes.some((node) => node.id === id)).map((field) =>
    issue('missing', field === '00' ? 0 : end, 0, { field }),
  );
  if (!find(nodes, '62.05')) issues.push(issue('missing_txid', end, 0, { field: '62.05' }, 'warning'));
  return issues;
}

type Rule = { path: string; code: BrCodeIssue['code']; isRight: (value: string) => boolean; allowed?: string };

const RULES: readonly Rule[] = [
  { path: '00', code: 'format_version', isRight: (value) => value === '01' },
  { path: '01', code: 'initiation', isRight: (value) => value === '11' || value === '12' },
  { path: '52', code: 'category', isRight: (value) => /^\d{4}$/.test(value) },
  { path: '53', code: 'currency', isRight: (value) => value === '986' },
  { path: '54', code: 'amount', isRight: (value) => /^\d{1,10}(\.\d{0,2})?$/.test(value) },
  { path: '58', code: 'country', isRight: (value) => value === 'BR' },
  {
    path: '59',
    code: 'name_long',
    isRight: ({ length }) => length <= NAME_LENGTH_MAX,
    allowed: String(NAME_LENGTH_MAX),
  },
  {
    path: '60',
    code: 'city_long',
    isRight: ({ length }) => length <= CITY_LENGTH_MAX,
    allowed: String(CITY_LENGTH_MAX),
  },
  { path: '62.05', code: 'txid', isRight: (value) => value === NO_TXID || /^[a-zA-Z0-9-]{1,25}$/.test(value) },
];

function valueIssues(nodes: readonly BrCodeNode[]): BrCodeIssue[] {
  const issues: BrCodeIssue[] = [];
  for (const { path, code, isRight, allowed } of RULES) {
    const node = find(nodes, path);
    if (node && node.value !== '' && !isRight(node.value))
      issues.push(wrongValue(code, node, allowed ? { allowed } : {}));
  }
  const amount = find(nodes, '54');
  // Pix Saque (field 03 of the account) leaves the amount to the person who withdraws.
  const isDrawn = child(pixAccount(nodes), '03') !== null;
  if (amount && /^0+(\.0*)?$/.test(amount.value) && !isDrawn) issues.push(wrongValue('amount_zero', amount));
  return issues;
}

/** A code that asks for an authorisation alone has an account with the identifier alone. */
function accountIssues(nodes: readonly BrCodeNode[]): BrCodeIssue[] {
  const account = pixAccount(nodes);
  if (!account) return [issue('no_pix', 0, 0)];
  const [key, location] = ['01', '25'].map((id) => childOf(account, id));
  const issues: BrCodeIssue[] = [];
  if (key && location) issues.push(wrongValue('key_and_location', account));
  // Issues of a template from 80 on are reported by readRecurrence.
  if (!key && !location && !nodes.some(({ id }) => Number(id) >= UNRESERVED_FROM))
    issues.push(wrongValue('no_key', account));
  if (key) issues.push(...lengthIssues(key));
  if (location) issues.push(...locationIssues(location));
  return issues;
}

/** The merchant account that is PIX's (EMV MPM 1.1, table 3.1: 26 to 51). */
const pixAccount = (nodes: readonly BrCodeNode[]): BrCodeNode | undefined =>
  nodes.find((node) => Number(node.id) <= ACCOUNT_LAST && isOfPix(node));

const ACCOUNT_LAST = 51;

const child = (node: BrCodeNode | undefined, id: string): string | null => childOf(node, id)?.value ?? null;

function find(nodes: readonly BrCodeNode[], path: string): BrCodeNode | undefined {
  const [id, ...rest] = path.split('.');
  const node = nodes.find((one) => one.id === id);
  return node && rest.length > 0 ? find(node.children, rest.join('.')) : node;
}
