import { describe, expect, test } from 'vitest';
import { qrPng, qrSvg } from './qr-picture.ts';
import { readQrPng, readQrSvg } from './testing/read-qr-picture.ts';

const TEXTS = [
  '00020101021226600014br.gov.bcb.pix2538pix.example.com/qr/v2/01a1f8f3e8957c3a5204000053039865406150.755802BR5914Trilho Sandbox6009Sao Paulo62070503***63044CE5',
  'TDfHvTAgCEkMhmfvf54Kz3pphedGsUu76f',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  // The longest that the standard of the BR Code allows.
  `000201${'a1B2'.repeat(125)}304CE5`.slice(0, 512),
];

describe.each(TEXTS)('the QR code of %s', (text) => {
  test('is read from the PNG and from the SVG as it was', () => {
    expect(readQrPng(qrPng(text))).toBe(text);
    expect(readQrSvg(qrSvg(text))).toBe(text);
  });

  test('is small, and has four modules of white around it', () => {
    expect(qrPng(text).length).toBeLessThan(8_000);
    const svg = qrSvg(text);
    expect(svg.length).toBeLessThan(64_000);
    const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const runs = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map(([, ...numbers]) => numbers.map(Number));
    expect(Math.min(...runs.flatMap(([x, y]) => [x ?? 0, y ?? 0]))).toBe(4);
    expect(Math.max(...runs.map(([x, , length]) => (x ?? 0) + (length ?? 0)))).toBe(size - 4);
  });
});

test('planted: a picture with a wrong line or a wrong checksum is not read', () => {
  const [text = ''] = TEXTS;
  const png = qrPng(text);
  png[png.length - 1] = (png[png.length - 1] ?? 0) ^ 1;
  expect(() => readQrPng(png)).toThrow('checksum');
  const half = qrSvg(text).replaceAll(/M\d+ (2\d|3\d|4\d)h\d+v1h-\d+z/g, '');
  expect(() => readQrSvg(half)).toThrow();
});

test('an SVG has nothing of its text but the modules', () => {
  expect(qrSvg('"><script>alert(1)</script>')).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d ]+" shape-rendering="crispEdges"><path fill="#fff" d="[\dMhvHz -]+"\/><path d="[\dMhvz -]+"\/><\/svg>\n$/,
  );
});
