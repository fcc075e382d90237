import { expect, test } from 'vitest';
import { readBatchFile } from './read-batch-file.ts';

const TEXT = '10,00;maria@example.com;EMAIL;Salário de João nº 1 – março';

test('a file is read in UTF-8, and as Excel writes a CSV file and “Unicode text” in Brazil', async () => {
  expect(await readBatchFile(new Blob([TEXT]))).toBe(TEXT);
  const unicode = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
  expect(await readBatchFile(new Blob([unicode]))).toBe(TEXT);
  expect(await readBatchFile(new Blob([unicode.swap16()]))).toBe(TEXT);
  const plain = TEXT.replace('–', '-');
  expect(await readBatchFile(new Blob([Buffer.from(plain, 'latin1')]))).toBe(plain);
});

test('a file in another encoding is not read with wrong letters', async () => {
  expect(await readBatchFile(new Blob([Buffer.from(TEXT, 'utf16le')]))).toBeNull();
  // "João" as the Macintosh's encoding and as code page 850 write it.
  for (const bytes of [
    [0x4a, 0x6f, 0x8b, 0x6f],
    [0x4a, 0x6f, 0xc6, 0x6f, 0x87],
  ])
    expect(await readBatchFile(new Blob([Uint8Array.from(bytes)]))).toBeNull();
});
