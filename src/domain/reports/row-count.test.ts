import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';
import { createRowCount } from './row-count.ts';

test('the rows are counted right, wherever the pieces are cut and whatever was typed into the cells', () => {
  const rows = fc.array(fc.array(fc.string({ unit: fc.constantFrom(...'"\r\n;aé') }), { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (rows, size) => {
      const bytes = new TextEncoder().encode(rows.map((row) => csvRow(row, 'pt-BR')).join(''));
      const count = createRowCount();
      let counted = 0;
      for (let at = 0; at < bytes.length; at += size) counted = count(bytes.subarray(at, at + size));
      expect(counted).toBe(rows.length);
    }),
  );
});
