/**
 * Reads the fields of a BR Code as far as possible: an issue is recorded, and reading continues.
 * Positions are counted from 0.
 */

/** An issue at a position of the code. The page has its text, and inserts these params. */
export type BrCodeIssue = {
  code: BrCodeIssueCode;
  /** `warning`: some banks reject it, others don't. */
  severity: 'error' | 'warning';
  at: number;
  length: number;
  params: Record<string, string>;
};

export const BR_CODE_ISSUES = [
  ...['empty', 'too_long', 'line_break', 'character', 'not_a_code'],
  ...[
    'id_not_numeric',
    'length_not_numeric',
    'beyond_end',
    'cut_short',
    'no_value',
    'duplicated',
    'first_field',
    'after_crc',
  ],
  ...[
    'missing',
    'missing_txid',
    'format_version',
    'initiation',
    'category',
    'currency',
    'country',
    'amount',
    'amount_zero',
  ],
  ...['name_long', 'city_long', 'txid', 'no_pix', 'key_and_location', 'no_key', 'location_scheme', 'key_long'],
  ...['recurrence_gui', 'recurrence_twice', 'recurrence_path', 'no_recurrence'],
  ...['crc_wrong', 'crc_case', 'crc_length', 'crc_not_hex'],
] as const;
export type BrCodeIssueCode = (typeof BR_CODE_ISSUES)[number];

export type BrCodeNode = {
  /** Its ids from the outermost, e.g. `26.01`. */
  path: string;
  id: string;
  /** Where its id begins. */
  at: number;
  /** As it is declared. */
  length: number;
  /** As much of it as there is. */
  value: string;
  children: BrCodeNode[];
};

export type BrCodeChain = {
  nodes: BrCodeNode[];
  issues: BrCodeIssue[];
  /** Whether it was read to its end: only then is a missing field known to be missing. */
  whole: boolean;
};

const PIX_GUI = 'br.gov.bcb.pix';
const KEY_LENGTH_MAX = 77;

/** An id and a length take four characters. */
export const HEAD_LENGTH = 4;

export const issue = (
  code: BrCodeIssueCode,
  at: number,
  length: number,
  params: Record<string, string> = {},
  severity: BrCodeIssue['severity'] = 'error',
): BrCodeIssue => ({ code, severity, at, length, params });

/** The fields of a whole code. */
export const readChain = (text: string): BrCodeChain => read(text, 0, '');

/**
 * `offset` is where the text begins in the whole code, `parent` the path of the field that it is
 * the value of, with a dot.
 */
function read(text: string, offset: number, parent: string): BrCodeChain {
  const nodes: BrCodeNode[] = [];
  const issues: BrCodeIssue[] = [];
  for (let at = 0; at < text.length; ) {
    const here = offset + at;
    const head = text.slice(at, at + HEAD_LENGTH);
    const id = head.slice(0, 2);
    const length = head.slice(2);
    const stopped = headIssue(head, here, parent.slice(0, -1));
    if (stopped) return { nodes, issues: [...issues, stopped], whole: false };
    const declared = Number(length);
    const value = text.slice(at + HEAD_LENGTH, at + HEAD_LENGTH + declared);
    const node: BrCodeNode = { path: parent + id, id, at: here, length: declared, value, children: [] };
    const params = { field: node.path, declared: String(declared), found: String(value.length) };
    if (nodes.some((other) => other.id === id)) issues.push(issue('duplicated', here, 2, params));
    nodes.push(node);
    if (value.length < declared) {
      return { nodes, issues: [...issues, issue('beyond_end', here + 2, 2, params)], whole: false };
    }
    if (declared === 0) issues.push(issue('no_value', here, HEAD_LENGTH, params));
    else issues.push(...readChildren(node));
    at += HEAD_LENGTH + declared;
  }
  return { nodes, issues, whole: true };
}

/** `parent`: the path of the field that it is in; empty for none. */
function headIssue(head: string, at: number, parent: string): BrCodeIssue | null {
  const id = head.slice(0, 2);
  const length = head.slice(2);
  if (head.length < HEAD_LENGTH) return issue('cut_short', at, head.length, { field: parent || 'none' });
  if (!/^\d{2}$/.test(id)) return issue('id_not_numeric', at, 2, { found: head });
  return /^\d{2}$/.test(length) ? null : issue('length_not_numeric', at + 2, 2, { field: id, found: length });
}

/** Reads the fields of a template into its `children`, and returns their issues. */
function readChildren(node: BrCodeNode): BrCodeIssue[] {
  if (!isTemplate(node.path)) return [];
  const chain = read(node.value, node.at + HEAD_LENGTH, `${node.path}.`);
  // A payment system's own template in field 62 may have any content, not only fields.
  if (node.path.includes('.') && (!chain.whole || chain.issues.length > 0)) return [];
  node.children = chain.nodes;
  return chain.issues;
}

/**
 * Merchant accounts, additional data, the merchant's other language, unreserved templates (EMV MPM
 * 1.1, tables 3.1 and 3.7).
 */
function isTemplate(path: string): boolean {
  return /^(?:2[6-9]|3\d|4\d|5[01]|62|64|[89]\d)$/.test(path) || /^62\.(?:[5-9]\d)$/.test(path);
}

/** The payment system that the template belongs to (EMV MPM 1.1, table 3.2: its field 00). */
export const guiOf = (template: BrCodeNode): string | null => childOf(template, '00')?.value ?? null;

export const isOfPix = (template: BrCodeNode): boolean => guiOf(template)?.toLowerCase() === PIX_GUI;

export const childOf = (node: BrCodeNode | undefined, id: string): BrCodeNode | undefined =>
  node?.children.find((field) => field.id === id);

export const wrongValue = (
  code: BrCodeIssueCode,
  { path, at, value }: BrCodeNode,
  more: Record<string, string> = {},
): BrCodeIssue => issue(code, at + HEAD_LENGTH, value.length, { field: path, found: value, ...more });

/**
 * Returns the issues of a location: it has no `https://`, and at most as many characters as a key.
 */
export function locationIssues(field: BrCodeNode): BrCodeIssue[] {
  return field.value.includes('://')
    ? [wrongValue('location_scheme', field), ...lengthIssues(field)]
    : lengthIssues(field);
}

/** Returns the issue of a key or a location that is too long. */
export function lengthIssues(field: BrCodeNode): BrCodeIssue[] {
  const isLong = field.value.length > KEY_LENGTH_MAX;
  return isLong ? [wrongValue('key_long', field, { allowed: String(KEY_LENGTH_MAX) })] : [];
}
