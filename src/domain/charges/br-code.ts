/**
 * BR Code: the text behind a PIX QR picture and "copia e cola" (the central bank's manual, on EMV Merchant-Presented Mode).
 */

import { fromDecimal, toDecimal } from '../values/money.ts';
import { EmvFault, type EmvField, emvField, parseEmvFields } from './emv-fields.ts';

/** One field, templates with their own fields as children. */
export type BrCodeField = EmvField;

type BrCode = {
  fields: BrCodeField[];
  key: string | null;
  location: string | null;
  amountCentavos: bigint | null;
  merchantName: string;
  merchantCity: string;
  /** Null when absent or `***`, which says that there is none. */
  txid: string | null;
  oneUse: boolean;
};

type Merchant = { merchantName: string; merchantCity: string; amountCentavos?: bigint };

const PIX_GUI = 'br.gov.bcb.pix';
const NO_TXID = '***';
const NAME_LENGTH_MAX = 25;
const CITY_LENGTH_MAX = 15;
const TEMPLATE_LENGTH_MAX = 99;

/** Stands for a name or city of which nothing is left in ASCII, since both fields are mandatory. */
const NAMELESS = 'NAO INFORMADO';

/** API Pix's limit of `pixCopiaECola`. */
const BR_CODE_LENGTH_MAX = 512;

const KEY_OR_LOCATION = /^[!-~]{1,77}$/;
const STATIC_TXID = /^([a-zA-Z0-9]{1,25}|\*\*\*)$/;
const AMOUNT = /^\d{1,10}(\.\d{0,2})?$/;

/** The largest amount that API Pix's `\d{1,10}\.\d{2}` and the 13 characters of field 54 hold. */
const AMOUNT_CENTAVOS_MAX = 999_999_999_999n;

/**
 * A dynamic, one-use code: it carries the PSP's `location` (without scheme, at most 77 characters), where the payer's app reads
 * everything else, so the txid is `***`.
 * @throws RangeError for a location or an amount that a BR Code can't carry.
 */
export function encodeDynamicBrCode(input: Merchant & { location: string }): string {
  if (!KEY_OR_LOCATION.test(input.location) || input.location.includes('://')) {
    throw new RangeError('A BR Code location has 1 to 77 printable characters and no scheme.');
  }
  const account = emvField('00', PIX_GUI) + emvField('25', input.location);
  return encode({ pointOfInitiation: emvField('01', '12'), account, txid: NO_TXID, merchant: input });
}

/**
 * A static, reusable code: it carries the PIX key. The message to the payer is folded to ASCII and cut to what is left of the
 * 99 characters it shares with the key; the txid has 1 to 25 letters and digits.
 * @throws RangeError for a key, txid or amount that a BR Code can't carry.
 */
export function encodeStaticBrCode(input: Merchant & { key: string; message?: string; txid?: string }): string {
  const txid = input.txid ?? NO_TXID;
  if (!KEY_OR_LOCATION.test(input.key)) throw new RangeError('A PIX key has 1 to 77 printable characters.');
  if (!STATIC_TXID.test(txid)) throw new RangeError('The txid of a static BR Code has 1 to 25 letters and digits.');
  const identified = emvField('00', PIX_GUI) + emvField('01', input.key);
  const message = toAscii(input.message ?? '', TEMPLATE_LENGTH_MAX - identified.length - 4);
  const account = message === '' ? identified : identified + emvField('02', message);
  return encode({ pointOfInitiation: '', account, txid, merchant: input });
}

/**
 * Reads a code, checking its structure, mandatory fields and CRC. `fault` says in Portuguese what is wrong and where, positions
 * counted from 1.
 */
export function decodeBrCode(text: string): ({ ok: true } & BrCode) | { ok: false; fault: string } {
  try {
    return { ok: true, ...decode(text.trim()) };
  } catch (error) {
    if (error instanceof EmvFault) return { ok: false, fault: error.message };
    throw error;
  }
}

/** CRC-16/CCITT-FALSE (polynomial 1021, start FFFF, not reflected) of the UTF-8 bytes, as four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function encode(parts: { pointOfInitiation: string; account: string; txid: string; merchant: Merchant }): string {
  const { merchantName, merchantCity, amountCentavos } = parts.merchant;
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
    '6304',
  ].join('');
  return body + crc16(body);
}

/** Printable ASCII: accents folded, what has no ASCII form dropped, cut to the length without a space at the end. */
function toAscii(text: string, lengthMax: number): string {
  const folded = text
    .normalize('NFKD')
    .replace(/[^\s!-~]/g, '')
    .replace(/\s+/g, ' ');
  return folded.trim().slice(0, Math.max(lengthMax, 0)).trimEnd();
}

function decode(text: string): BrCode {
  if (text.length > BR_CODE_LENGTH_MAX) throw new EmvFault(`O código passa de ${BR_CODE_LENGTH_MAX} caracteres.`);
  const foreign = text.search(/[^ -~]/);
  if (foreign >= 0) throw new EmvFault(`Caractere não permitido na posição ${foreign + 1}.`);
  const fields = parseEmvFields(text);
  const last = fields.at(-1);
  if (fields[0]?.id !== '00' || fields[0].value !== '01') throw new EmvFault('O código não começa com 000201.');
  if (last?.id !== '63' || last.value.length !== 4) throw new EmvFault('O código não termina com o CRC (campo 63).');
  const crc = crc16(text.slice(0, -4));
  if (last.value !== crc) {
    throw new EmvFault(`CRC incorreto na posição ${text.length - 3}: consta ${last.value}, o correto é ${crc}.`);
  }
  return read(fields);
}

function read(fields: BrCodeField[]): BrCode {
  const account = fields.find((f) => f.id >= '26' && f.id <= '51' && gui(f) === PIX_GUI);
  if (account === undefined) throw new EmvFault('Não há conta PIX no código (campo 26 com br.gov.bcb.pix).');
  const key = child(account, '01');
  const location = child(account, '25');
  if ((key === null) === (location === null)) {
    throw wrongField(fields, account.id, 'deve ter a chave (01) ou a location (25), e só uma das duas');
  }
  expectValue(fields, '52', /^\d{4}$/, 'quatro dígitos');
  expectValue(fields, '53', /^986$/, '986, o real');
  expectValue(fields, '58', /^BR$/, 'BR');
  const initiation = fields.find((f) => f.id === '01')?.value ?? '11';
  if (initiation !== '11' && initiation !== '12') throw wrongField(fields, '01', 'deve ser 11 ou 12');
  const additional = fields.find((f) => f.id === '62');
  const txid = additional === undefined ? null : child(additional, '05');
  return {
    fields,
    key,
    location,
    amountCentavos: amountOf(fields, child(account, '03') !== null),
    merchantName: expectValue(fields, '59', /./, 'o nome do recebedor'),
    merchantCity: expectValue(fields, '60', /./, 'a cidade do recebedor'),
    txid: txid === NO_TXID ? null : txid,
    oneUse: initiation === '12',
  };
}

/** Zero is only for Pix Saque (field 03 of the account), where the payer chooses how much to draw. */
function amountOf(fields: BrCodeField[], withdrawal: boolean): bigint | null {
  const text = fields.find((f) => f.id === '54')?.value;
  if (text === undefined) return null;
  const [reais = '', decimals = ''] = text.split('.');
  const centavos = AMOUNT.test(text) ? fromDecimal(`${reais}.${decimals.padEnd(2, '0')}`) : null;
  if (centavos === null) throw wrongField(fields, '54', 'deve ser um valor com até duas casas decimais');
  if (centavos === 0n && !withdrawal) throw wrongField(fields, '54', 'é o valor e não pode ser zero');
  return centavos;
}

function expectValue(fields: BrCodeField[], id: string, pattern: RegExp, expected: string): string {
  const value = fields.find((f) => f.id === id)?.value;
  if (value === undefined) throw new EmvFault(`Falta o campo ${id} (${expected}).`);
  if (!pattern.test(value)) throw wrongField(fields, id, `deve ser ${expected}`);
  return value;
}

function wrongField(fields: BrCodeField[], id: string, what: string): EmvFault {
  const before = fields.slice(
    0,
    fields.findIndex((f) => f.id === id),
  );
  const position = before.reduce((at, f) => at + 4 + f.value.length, 1);
  return new EmvFault(`O campo ${id} na posição ${position} ${what}.`);
}

function gui(template: BrCodeField): string | undefined {
  return child(template, '00')?.toLowerCase();
}

function child(template: BrCodeField, id: string): string | null {
  return template.children?.find((f) => f.id === id)?.value ?? null;
}
