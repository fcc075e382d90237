/**
 * Writes BR Codes: the text behind a PIX QR picture and "copia e cola" (the central bank's manual,
 * on EMV Merchant-Presented Mode). read-br-code.ts reads them.
 */

import { toDecimal } from '../values/money.ts';

type Merchant = { merchantName: string; merchantCity: string; amountCentavos?: bigint };

/**
 * `recurrence` makes a code of Pix Automático: it is where the payer's bank reads the recurring
 * authorisation, without scheme, at most 77 characters. It goes into field 80.
 */
type Composite = { recurrence?: string };

const PIX_GUI = 'br.gov.bcb.pix';
const NO_TXID = '***';
const NAME_LENGTH_MAX = 25;
const CITY_LENGTH_MAX = 15;
const TEMPLATE_LENGTH_MAX = 99;

/** Replaces a name or city of which nothing is left in ASCII, since both fields are mandatory. */
const NAMELESS = 'NAO INFORMADO';

const KEY_OR_LOCATION = /^[!-~]{1,77}$/;
const STATIC_TXID = /^([a-zA-Z0-9]{1,25}|\*\*\*)$/;

/** The largest amount that API Pix's `\d{1,10}\.\d{2}` and the 13 characters of field 54 hold. */
const AMOUNT_CENTAVOS_MAX = 999_999_999_999n;

/**
 * A dynamic, one-use code: it carries the PSP's `location` (without scheme, at most 77 characters),
 * where the payer's app reads everything else, so the txid is `***`. With `recurrence` it is the
 * composite code of journey 3 or 4.
 * @throws RangeError for a location or an amount that a BR Code can't carry.
 */
export function encodeDynamicBrCode(input: Merchant & Composite & { location: string }): string {
  const account = emvField('00', PIX_GUI) + locationField(input.location);
  return encode({ pointOfInitiation: emvField('01', '12'), account, txid: NO_TXID, merchant: input });
}

/**
 * A code that asks for a recurring authorisation and nothing else: journey 2 of Pix Automático. Its
 * account has the identifier alone (API Pix 2.9.0, example of `dadosQR` with `JORNADA_2`).
 * @throws RangeError for a location that a BR Code can't carry.
 */
export function encodeRecurrenceBrCode(input: Omit<Merchant, 'amountCentavos'> & Required<Composite>): string {
  return encode({ pointOfInitiation: '', account: emvField('00', PIX_GUI), txid: NO_TXID, merchant: input });
}

/**
 * A static, reusable code: it carries the PIX key. The message to the payer is folded to ASCII and
 * cut to what is left of the 99 characters it shares with the key; the txid has 1 to 25 letters and
 * digits.
 * @throws RangeError for a key, txid or amount that a BR Code can't carry.
 */
export function encodeStaticBrCode(
  input: Merchant & Composite & { key: string; message?: string; txid?: string },
): string {
  const txid = input.txid ?? NO_TXID;
  if (!KEY_OR_LOCATION.test(input.key)) throw new RangeError('A PIX key has 1 to 77 printable characters.');
  if (!STATIC_TXID.test(txid)) throw new RangeError('The txid of a static BR Code has 1 to 25 letters and digits.');
  const identified = emvField('00', PIX_GUI) + emvField('01', input.key);
  const message = toAscii(input.message ?? '', TEMPLATE_LENGTH_MAX - identified.length - 4);
  const account = message === '' ? identified : identified + emvField('02', message);
  return encode({ pointOfInitiation: '', account, txid, merchant: input });
}

/**
 * CRC-16/CCITT-FALSE (polynomial 1021, start FFFF, not reflected) of the UTF-8 bytes, as four
 * upper-case hex digits.
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function encode(parts: {
  pointOfInitiation: string;
  account: string;
  txid: string;
  merchant: Merchant & Composite;
}): string {
  const { merchantName, merchantCity, amountCentavos, recurrence } = parts.merchant;
  if (amountCentavos !== undefined && (amountCentavos <= 0n || amountCentavos > AMOUNT_CENTAVOS_MAX)) {
    throw new RangeError('The amount of a BR Code is above zero and has at most ten digits of reais.');
  }
  const body = [
    emvField('00', '01'),
    parts.pointOfInitiation,
    emvField('26', parts.account),
    emvField('52', '0000'),
    emvField('53', '986'),
    amountCentavos === undefined ? '' : emvField('54', toDecimal(amountCentavos)),
    emvField('58', 'BR'),
    emvField('59', toAscii(merchantName, NAME_LENGTH_MAX) || NAMELESS),
    emvField('60', toAscii(merchantCity, CITY_LENGTH_MAX) || NAMELESS),
    emvField('62', emvField('05', parts.txid)),
    recurrence === undefined ? '' : emvField('80', emvField('00', PIX_GUI) + locationField(recurrence)),
    '6304',
  ].join('');
  return body + crc16(body);
}

function locationField(location: string): string {
  if (!KEY_OR_LOCATION.test(location) || location.includes('://')) {
    throw new RangeError('A BR Code location has 1 to 77 printable characters and no scheme.');
  }
  return emvField('25', location);
}

/**
 * Printable ASCII: accents folded, what has no ASCII form dropped, cut to the length without a
 * space at the end.
 */
function toAscii(text: string, lengthMax: number): string {
  const folded = text
    .normalize('NFKD')
    .replace(/[^\s!-~]/g, '')
    .replace(/\s+/g, ' ');
  return folded.trim().slice(0, Math.max(lengthMax, 0)).trimEnd();
}

/**
 * One field: an id (2 digits), a length (2 digits) and a value, which has 1 to 99 ASCII characters.
 */
function emvField(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}
