import type { BrCodeNode } from '#domain/charges/read-br-code.ts';
import type { Messages } from '#messages/messages.ts';

export type FieldName = keyof Messages['panel']['brCode']['fields'];
export type FieldMeaning = keyof Messages['panel']['brCode']['meanings'];

/**
 * Names of fields by their paths: EMV MPM 1.1, tables 3.1, 3.6 and 3.7; the central bank's manual
 * of BR Code.
 */
const NAMES: Record<string, FieldName> = {
  '00': 'version',
  '01': 'initiation',
  '52': 'category',
  '53': 'currency',
  '54': 'amount',
  '55': 'tipIndicator',
  '56': 'tipFixed',
  '57': 'tipPercent',
  '58': 'country',
  '59': 'merchantName',
  '60': 'merchantCity',
  '61': 'postalCode',
  '62': 'additional',
  '63': 'crc',
  '64': 'language',
  '62.01': 'billNumber',
  '62.02': 'mobile',
  '62.03': 'store',
  '62.04': 'loyalty',
  '62.05': 'txid',
  '62.06': 'customer',
  '62.07': 'terminal',
  '62.08': 'purpose',
  '62.09': 'consumerData',
  '64.00': 'languageCode',
  '64.01': 'nameInLanguage',
  '64.02': 'cityInLanguage',
};

/** Names of the fields inside a PIX account. */
const ACCOUNT_NAMES: Record<string, FieldName> = {
  '00': 'gui',
  '01': 'key',
  '02': 'message',
  '03': 'withdrawal',
  '25': 'location',
};

/** Of the template that asks for a recurring authorisation (Pix Automático). */
const RECURRENCE_NAMES: Record<string, FieldName> = { '00': 'gui', '25': 'recurrenceLocation' };

/**
 * Returns what a field is for, by its path; for an account or a template also by whether it is of
 * PIX.
 */
export function fieldName({ path, children }: Pick<BrCodeNode, 'path' | 'children'>): FieldName {
  const known = NAMES[path];
  if (known) return known;
  const [first = '', second] = path.split('.');
  const number = Number(first);
  const isAccount = number >= 26 && number <= 51;
  if (second !== undefined) {
    if (first === '62' || first === '64') return path.split('.').length > 2 ? 'systemField' : 'system';
    return (number >= 80 ? RECURRENCE_NAMES : ACCOUNT_NAMES)[second] ?? 'accountOther';
  }
  if (number >= 2 && number <= 25) return 'card';
  const isPix = children.some(({ id, value }) => id === '00' && value.toLowerCase() === 'br.gov.bcb.pix');
  if (number >= 80) return isPix ? 'recurrence' : 'unreserved';
  if (!isAccount) return 'reserved';
  return isPix ? 'account' : 'otherAccount';
}

const MEANINGS: Record<string, FieldMeaning> = {
  '01=11': 'many',
  '01=12': 'once',
  '52=0000': 'noCategory',
  '53=986': 'real',
  '58=BR': 'brazil',
  '62.05=***': 'noTxid',
};

/** The meaning of a coded value; undefined for any other value. */
export const fieldMeaning = ({ path, value }: BrCodeNode): FieldMeaning | undefined => MEANINGS[`${path}=${value}`];
