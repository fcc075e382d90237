import { describe, expect, it } from 'vitest';
import { ofxAccountNumber, ofxEnd, ofxEntry, ofxStart } from './ofx.ts';

const account = { accountId: '019aa3f2-7c11-7abc-8def-0123456789ab', balance: 'available' as const };
const AT = new Date('2026-11-21T02:05:09.999Z');
const entry = {
  account,
  version: 42n,
  at: AT,
  centavos: 10050n,
  transactionId: '019aa3f2-7c11-7abc-8def-999999999999',
  name: 'Maria da Silva',
  memo: 'Recebimento PIX',
};
const field = (name: string, text: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(text)?.[1];

describe('an OFX statement', () => {
  it('is OFX 1.0.2 in SGML, in BRL, with the period and the balance after it', () => {
    const start = ofxStart({ account, now: AT, start: new Date('2026-11-01T03:00:00Z'), end: AT, language: 'pt-BR' });
    const [header, body] = start.split('\n\n');
    expect(header?.split('\n')).toEqual([
      'OFXHEADER:100',
      'DATA:OFXSGML',
      'VERSION:102',
      'SECURITY:NONE',
      'ENCODING:USASCII',
      'CHARSET:1252',
      'COMPRESSION:NONE',
      'OLDFILEUID:NONE',
      'NEWFILEUID:NONE',
    ]);
    const whole = body + ofxEntry(entry) + ofxEnd({ closingCentavos: -5n, asOf: AT });
    expect(field('CURDEF', whole)).toBe('BRL');
    expect(field('DTSTART', whole)).toBe('20261101000000[-3:BRT]');
    expect(field('DTEND', whole)).toBe('20261120230509[-3:BRT]');
    expect(field('BALAMT', whole)).toBe('-0.05');
    // Every element that is opened is closed, in reverse order.
    const open: string[] = [];
    for (const [, end, name = ''] of whole.matchAll(/<(\/?)(\w+)>/g)) {
      if (end) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('gives an entry an id that no entry of another balance or account has', () => {
    const idOf = (change: Partial<typeof entry>) => field('FITID', ofxEntry({ ...entry, ...change }));
    const ids = [
      idOf({}),
      idOf({ version: 43n }),
      idOf({ account: { ...account, balance: 'available', accountId: '019aa3f2-7c11-7abc-8def-0123456789ac' } }),
      ...(['pending', 'blocked'] as const).map((balance) =>
        field('FITID', ofxEntry({ ...entry, account: { ...account, balance } })),
      ),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(idOf({})).toBe(idOf({ memo: 'another text', at: new Date(0) }));
  });

  it('has an account number of digits that fits', () => {
    expect(ofxAccountNumber(account)).toBe('0012509998964911');
    expect(ofxAccountNumber({ ...account, accountId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })).toMatch(/^\d{16}$/);
    expect(ofxAccountNumber({ ...account, accountId: '00000000-0000-0000-0000-000000000000' })).toBe(
      '0000000000000001',
    );
  });

  it('says in and out by sign and type', () => {
    expect(ofxEntry(entry)).toContain('<TRNTYPE>CREDIT</TRNTYPE>');
    expect(ofxEntry({ ...entry, centavos: -7n })).toMatch(/<TRNTYPE>DEBIT<\/TRNTYPE>[\s\S]*<TRNAMT>-0\.07<\/TRNAMT>/);
  });

  it.each([
    ['<b>& "x"</b>', '&lt;b&gt;&amp; "x"&lt;/b&gt;'],
    ['José – Ações · 2× nº 1', 'Jose - Acoes - 2x no 1'],
    ['a\r\n</MEMO><TRNAMT>9', 'a &lt;/MEMO&gt;&lt;TRNAMT&gt;9'],
    ['☕ café', '? cafe'],
    ['\u200b', '?'],
    ['  ', '?'],
  ])('no text that was typed breaks out of its element: %j', (typed, written) => {
    expect(field('MEMO', ofxEntry({ ...entry, memo: typed }))).toBe(written);
  });

  it('is ASCII, and keeps to the lengths that the format allows', () => {
    const long = ofxEntry({ ...entry, name: 'ção'.repeat(100), memo: '&'.repeat(300) });
    expect(long).toMatch(/^[ -~\n]*$/);
    expect(field('NAME', long)).toHaveLength(32);
    expect(field('MEMO', long)?.replaceAll('&amp;', '&')).toHaveLength(255);
  });

  it('leaves the reference out where the transaction is another account’s', () => {
    expect(field('REFNUM', ofxEntry(entry))).toBe('019aa3f27c117abc8def999999999999');
    expect(ofxEntry({ ...entry, transactionId: null })).not.toContain('REFNUM');
  });
});
