import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstUuidAt, isUuid, txidToUuid, uuidToTxid, uuidv7 } from './uuid.ts';

const instant = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });

describe('firstUuidAt', () => {
  test('sorts between the ids made before an instant and those made in it', () => {
    fc.assert(
      fc.property(instant, (now) => {
        fc.pre(now.getTime() > 0);
        expect(firstUuidAt(now) <= uuidv7(now)).toBe(true);
        expect(uuidv7(new Date(now.getTime() - 1)) < firstUuidAt(now)).toBe(true);
      }),
    );
  });

  test('is a uuid for any instant that a filter may name', () => {
    expect(isUuid(firstUuidAt(new Date('0001-01-01T00:00:00Z')))).toBe(true);
    expect(isUuid(firstUuidAt(new Date(8.64e15)))).toBe(true);
  });
});

describe('uuidv7', () => {
  test('has the version, the variant and lower case, and begins with the instant', () => {
    fc.assert(
      fc.property(instant, (now) => {
        const id = uuidv7(now);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now.getTime());
      }),
    );
  });

  test('agrees with the example of RFC 9562 A.6 on the bits that are not random', () => {
    expect(uuidv7(new Date('2022-02-22T14:22:22-05:00')).slice(0, 15)).toBe('017f22e2-79b0-7');
  });

  test('sorts by instant, as text', () => {
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        fc.pre(a.getTime() < b.getTime());
        expect(uuidv7(a) < uuidv7(b)).toBe(true);
      }),
    );
  });

  test('never repeats within a millisecond, and all its 74 random bits vary', () => {
    const now = new Date('2026-11-20T21:00:00.000Z');
    const ids = Array.from({ length: 2_000 }, () => uuidv7(now));
    expect(new Set(ids).size).toBe(ids.length);
    const numbers = ids.map((id) => BigInt(`0x${id.replaceAll('-', '')}`));
    const varying = numbers.reduce((bits, n) => bits | (n ^ (numbers[0] ?? 0n)), 0n);
    expect(varying.toString(2).replaceAll('0', '')).toHaveLength(74);
  });

  test.each([new Date(-1), new Date(Number.NaN)])('rejects an instant it cannot hold', (now) => {
    expect(() => uuidv7(now)).toThrow(RangeError);
  });
});

describe('isUuid', () => {
  test.each([
    '00000000-0000-0000-0000-000000000000',
    '123e4567-e12b-12d1-a456-426655440000',
    '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
  ])('%s is a UUID', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  test.each([
    '',
    '123e4567e12b12d1a456426655440000',
    '{123e4567-e12b-12d1-a456-426655440000}',
    'urn:uuid:123e4567-e12b-12d1-a456-426655440000',
    '123e4567-e12b-12d1-a456-42665544000g',
    '123e4567-e12b-12d1-a456-426655440000\n',
    ' 123e4567-e12b-12d1-a456-426655440000',
  ])('%j is no UUID', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

describe('txid', () => {
  test('every id comes back from its txid, which API Pix accepts', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const txid = uuidToTxid(id.toUpperCase());
        expect(txid).toMatch(/^[a-z0-9]{32}$/);
        expect(txidToUuid(txid)).toBe(id.toLowerCase());
      }),
    );
  });

  test("the central bank's own example is read", () => {
    expect(txidToUuid('7978c0c97ea847e78e8849634473c1f1')).toBe('7978c0c9-7ea8-47e7-8e88-49634473c1f1');
  });

  test('a PSP that answers in upper case names the same id', () => {
    expect(txidToUuid('7978C0C97EA847E78E8849634473C1F1')).toBe('7978c0c9-7ea8-47e7-8e88-49634473c1f1');
  });

  test('a txid that is not 32 hex digits is not ours', () => {
    for (const txid of ['', '***', 'fc9a4366ff3d4964b5dbc6c91a8722d', '7978c0c97ea847e78e8849634473c1fg']) {
      expect(txidToUuid(txid)).toBeNull();
    }
  });

  test('a txid is never made of anything but a UUID', () => {
    expect(() => uuidToTxid('7978c0c97ea847e78e8849634473c1f1')).toThrow(RangeError);
  });
});
