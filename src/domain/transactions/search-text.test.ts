import { describe, expect, it } from 'vitest';
import { amountOfText, idEnd, idsBeginningWith } from './search-text.ts';

const ID = '0191f3a2-7c41-7d55-8a3b-0123456789c2';

describe('an amount as people write it', () => {
  it.each([
    ['100,50', 10050n],
    ['R$ 1.234,56', 123456n],
    ['r$1.234,5', 123450n],
    ['R$\u00a01.234,56', 123456n],
    ['100.50', 10050n],
    ['1.234', 123400n],
    ['100', 10000n],
    ['0,01', 1n],
    ['1,234.56', 123456n],
    ['1,234', 123400n],
  ])('%s is read', (text, centavos) => {
    expect(amountOfText(text)).toBe(centavos);
  });

  it.each(['', '0', 'maria', '1.23.4', '0,005', '-5', '99999999', '100,5x', '1e5'])('%s is no amount', (text) => {
    expect(amountOfText(text)).toBeNull();
  });
});

describe('a part of an id', () => {
  it('that is a whole id stands for that id, with or without hyphens and in any case', () => {
    expect(idsBeginningWith(ID.toUpperCase())).toEqual({ first: ID, last: ID });
    expect(idsBeginningWith(ID.replaceAll('-', ''))).toEqual({ first: ID, last: ID });
  });

  it('from its beginning bounds the ids that begin so, also with an ellipsis', () => {
    const bounds = { first: '0191f300-0000-0000-0000-000000000000', last: '0191f3ff-ffff-ffff-ffff-ffffffffffff' };
    expect(idsBeginningWith('0191F3')).toEqual(bounds);
    expect(idsBeginningWith('0191f3…')).toEqual(bounds);
  });

  it('from its end is written as ids are', () => {
    for (let count = 6; count < 32; count++) {
      const digits = ID.replaceAll('-', '').slice(-count);
      const end = idEnd(digits);
      expect(end?.replaceAll('-', '')).toBe(digits);
      expect(ID.endsWith(end ?? '?')).toBe(true);
    }
  });

  it('is neither where it is too short, too long or has other letters', () => {
    for (const text of ['abc', 'maria', `${ID}0`, '']) {
      expect(idsBeginningWith(text)).toBeNull();
      expect(idEnd(text)).toBeNull();
    }
  });

  it('counts as an end if it has as many digits as the panel shows, or more', () => {
    expect(idEnd(ID.slice(-5))).toBeNull();
    expect(idEnd(ID.slice(-6))).toBe(ID.slice(-6));
  });
});
