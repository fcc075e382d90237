import { wallMs } from '../values/business-day.ts';
import { toDecimal } from '../values/money.ts';
import { withoutAccents } from '../values/without-accents.ts';

/**
 * A bank statement as Brazilian accounting tools import it: OFX 1.0.2 in SGML (Open Financial
 * Exchange, sections 3.2 and 11.4), which every one of them reads, because the banks give nothing
 * else. Elements are closed, which SGML allows, so that what expects XML reads it too. ASCII alone:
 * tools guess the encoding of such files whatever the header says, and a name without its accents
 * is better than one in which they have become two other letters.
 */

/**
 * A PSP that is no bank has no COMPE code: 000. Tools ask their user once which account of theirs
 * this is, and know it from then on by BANKID and ACCTID together.
 */
const BANK_ID = '000';

/** OFX allows 32 and 255 characters. */
const NAME_LENGTH = 32;
const MEMO_LENGTH = 255;

export type OfxAccount = { accountId: string; balance: 'available' | 'pending' | 'blocked' };

export type OfxStatement = {
  account: OfxAccount;
  /** When the file is made. */
  now: Date;
  /** The period, both ends in it. */
  start: Date;
  end: Date;
  language: 'pt-BR' | 'en';
};

export type OfxEntry = {
  account: OfxAccount;
  /** The entry's number in its balance: it never changes, and no other entry has it. */
  version: bigint;
  at: Date;
  centavos: bigint;
  /** The transaction's id, a UUID; null where it is another account's. */
  transactionId: string | null;
  /** The other party, or what the entry is. */
  name: string;
  memo: string;
};

/**
 * Returns the account number of a balance. OFX allows 22 characters, and a UUID has more: the last
 * 48 bits of the id, which are random, in fifteen digits (some tools take digits only), and one
 * digit for the balance.
 */
export function ofxAccountNumber({ accountId, balance }: OfxAccount): string {
  const digits = BigInt(`0x${accountId.replaceAll('-', '').slice(-12)}`)
    .toString()
    .padStart(15, '0');
  return digits + { available: '1', pending: '2', blocked: '3' }[balance];
}

/** The file up to its first entry. */
export function ofxStart({ account, now, start, end, language }: OfxStatement): string {
  return `${HEADER}
<OFX>
<SIGNONMSGSRSV1>
<SONRS>
<STATUS>
<CODE>0</CODE>
<SEVERITY>INFO</SEVERITY>
</STATUS>
<DTSERVER>${dateTime(now)}</DTSERVER>
<LANGUAGE>${language === 'en' ? 'ENG' : 'POR'}</LANGUAGE>
<FI>
<ORG>Trilho</ORG>
<FID>${BANK_ID}</FID>
</FI>
</SONRS>
</SIGNONMSGSRSV1>
<BANKMSGSRSV1>
<STMTTRNRS>
<TRNUID>0</TRNUID>
<STATUS>
<CODE>0</CODE>
<SEVERITY>INFO</SEVERITY>
</STATUS>
<STMTRS>
<CURDEF>BRL</CURDEF>
<BANKACCTFROM>
<BANKID>${BANK_ID}</BANKID>
<ACCTID>${ofxAccountNumber(account)}</ACCTID>
<ACCTTYPE>CHECKING</ACCTTYPE>
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>${dateTime(start)}</DTSTART>
<DTEND>${dateTime(end)}</DTEND>
`;
}

/**
 * One entry. FITID has the account's number in it: some tools hold it to be unique over all
 * accounts.
 */
export function ofxEntry({ account, version, at, centavos, transactionId, name, memo }: OfxEntry): string {
  return `<STMTTRN>
<TRNTYPE>${centavos < 0n ? 'DEBIT' : 'CREDIT'}</TRNTYPE>
<DTPOSTED>${dateTime(at)}</DTPOSTED>
<TRNAMT>${toDecimal(centavos)}</TRNAMT>
<FITID>${ofxAccountNumber(account)}-${version}</FITID>
${transactionId === null ? '' : `<REFNUM>${transactionId.replaceAll('-', '')}</REFNUM>\n`}<NAME>${text(name, NAME_LENGTH)}</NAME>
<MEMO>${text(memo, MEMO_LENGTH)}</MEMO>
</STMTTRN>
`;
}

/** The rest of the file: the balance after the last entry. */
export function ofxEnd({ closingCentavos, asOf }: { closingCentavos: bigint; asOf: Date }): string {
  return `</BANKTRANLIST>
<LEDGERBAL>
<BALAMT>${toDecimal(closingCentavos)}</BALAMT>
<DTASOF>${dateTime(asOf)}</DTASOF>
</LEDGERBAL>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
`;
}

/** Its end is an empty line. */
const HEADER = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE
`;

/**
 * Returns a text for an element: without accents, `?` for what ASCII lacks, on one line, cut to
 * `length`, its markup escaped; never empty, which the format forbids.
 */
function text(typed: string, length: number): string {
  const plain = withoutAccents(typed)
    .replace(/[\u2010-\u2015\u2212\u00b7\u2022]/g, '-')
    .replace(/\u00d7/g, 'x')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[^ -~]/gu, '?')
    .trim()
    .slice(0, length)
    .trimEnd();
  return (plain || '?').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** YYYYMMDDHHMMSS. */
const DATE_TIME_DIGITS = 14;

/**
 * Brasília's time with its distance from UTC, `20261121140509[-3:BRT]`, as the banks write it:
 * tools that take the first eight digits for the day then have the right one.
 */
function dateTime(at: Date): string {
  const wall = wallMs(at.getTime());
  const digits = new Date(wall).toISOString().replace(/\D/g, '').slice(0, DATE_TIME_DIGITS);
  const hours = Math.round((wall - at.getTime()) / 3_600_000);
  return `${digits}[${hours}:BRT]`;
}
