import { expect, test } from 'vitest';
import { barChart } from './bar-chart.ts';
import { asMarkdown } from './write-report.ts';

test('a report names its command, its commit and machine, and the load before it', () => {
  const report = { name: 'ledger', title: 'The ledger', text: 'ratio 0.5', bars: [], loadBefore: 0.25 };
  const text = asMarkdown(report, 'abc1234, 2026-11-23, 2 cores');
  expect(text).toContain('`npm run bench -- ledger` at abc1234, 2026-11-23, 2 cores; load before: 0.25.');
  expect(text).toContain('ratio 0.5');
});

test('the longest bar fills the width, the others are in proportion, and text is escaped', () => {
  const svg = barChart('a < b', [
    { label: 'one & two', value: 2, text: '2' },
    { label: 'half', value: 1, text: '1' },
  ]);
  const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths[0]).toBeGreaterThan(300);
  expect(widths[1]).toBeCloseTo((widths[0] ?? 0) / 2);
  expect(svg).toContain('one &#38; two');
  expect(svg).toContain('a &#60; b');
});

test('a chart has a line at the value to be reached, also when no bar reaches it', () => {
  const svg = barChart('rates', [{ label: 'ours', value: 1, text: '1' }], 4);
  const [, width] = /<rect [^>]*width="([\d.]+)"/.exec(svg) ?? [];
  const [, x] = /<line x1="([\d.]+)"/.exec(svg) ?? [];
  expect(Number(x)).toBeGreaterThan(250 + Number(width));
  expect(Number(x)).toBeLessThan(760);
});
