import { expect, test } from 'vitest';
import { batchRowsKey, decodeBatchRows, encodeBatchRows } from '#domain/withdrawals/batch-rows.ts';
import { BATCH_TEMPLATE } from '#domain/withdrawals/payout-batch.ts';
import { payoutBatchInput } from './payout-batches.ts';

const HEAD = 'valor;chave;tipo_chave;descricao';
const ROW = '10,00;maria@example.com;EMAIL;';
const read = (file: string) => payoutBatchInput.parse({ file });
const issuesOf = (...lines: string[]) =>
  read([HEAD, ...lines].join('\n')).issues.map(({ line, column, issue }) => [line, column, issue]);

test('a file of a batch is read as Brazilian spreadsheets write it: with a mark, semicolons, points and quotes', () => {
  const { rows, issues } = read(
    `\uFEFF${HEAD};\r\n"1.234,56"; Maria@Example.com ;email;"Nota; ""A"" 1"\r\nR$ 7;390.533.447-05;Cpf;\r\n;;;\r\n`,
  );
  expect(issues).toEqual([]);
  expect(rows).toEqual([
    {
      amountCentavos: 123_456n,
      pixKey: 'maria@example.com',
      pixKeyType: 'email',
      description: 'Nota; "A" 1',
      reference: null,
    },
    { amountCentavos: 700n, pixKey: '39053344705', pixKeyType: 'cpf', description: null, reference: null },
  ]);
});

test('a file of a batch is read whatever ends its lines, and issues name the line that an editor shows', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { rows, issues } = read(['', HEAD, `10,00;maria@example.com;EMAIL;"two${end}lines"`, 'x;;;', ''].join(end));
    expect(rows.map(({ description }) => description)).toEqual([`two${end}lines`]);
    expect([...new Set(issues.map(({ line }) => line))]).toEqual([5]);
  }
});

test('a file of a batch is read as a table that was copied from a spreadsheet, and with a line that names the separator', () => {
  const cells = HEAD.split(';');
  const table = [cells, ['1.250,50', 'maria@example.com', 'EMAIL', 'Nota 1, 2'], ['x', '', '', '']];
  const tabbed = table.map((row) => row.join('\t')).join('\n');
  for (const [separator, file, line] of [
    ['\t', tabbed, 3],
    ['\t', `sep=\t\r\n${tabbed}`, 4],
    [';', `\uFEFFsep=;\r\n${tabbed.replaceAll('\t', ';')}`, 4],
    [',', `SEP=,\n${cells.join(',')}\n"1.250,50",maria@example.com,EMAIL,"Nota 1, 2"\nx,,,`, 4],
  ] as const) {
    const { rows, issues } = read(file);
    expect(rows, separator).toMatchObject([{ amountCentavos: 125_050n, description: 'Nota 1, 2' }]);
    expect([...new Set(issues.map((issue) => issue.line))], separator).toEqual([line]);
  }
});

test('a file of a batch is read with commas, and with its columns in any order', () => {
  const { rows, issues } = read(
    'tipo_chave,Chave,descricao,VALOR\nPHONE,11998765432,Frete,"1.234,50"\nPHONE,11998765432,,9.5',
  );
  expect(issues).toEqual([]);
  expect(rows.map(({ amountCentavos, pixKey }) => [amountCentavos, pixKey])).toEqual([
    [123_450n, '+5511998765432'],
    [950n, '+5511998765432'],
  ]);
});

test('a decimal comma between commas is an issue of its line, and never another amount', () => {
  for (const end of ['', ',']) {
    const { rows, issues } = read(
      `\nchave,tipo_chave,valor,descricao${end}\nmaria@example.com,EMAIL,1250,50,${end}\nmaria@example.com,EMAIL,7.50,${end}`,
    );
    expect(issues).toMatchObject([{ line: 3, column: null, issue: 'csv_cells' }]);
    expect(rows.map(({ amountCentavos }) => amountCentavos)).toEqual([750n]);
  }
});

test('a file of a batch may have the merchant’s reference of each payment, and a row without one is stored as before', () => {
  const withReference = read(`referencia;${HEAD}\n nota-7 ;${ROW}\n;${ROW}`);
  expect(withReference.issues).toEqual([]);
  expect(withReference.rows.map(({ reference }) => reference)).toEqual(['nota-7', null]);
  expect(decodeBatchRows(encodeBatchRows(withReference.rows))).toEqual(withReference.rows);
  const [, without] = withReference.rows;
  // As it was stored before there were references.
  expect(encodeBatchRows(without ? [without] : [])).toBe('["1000","email","maria@example.com",null]');
  expect(read(`${HEAD};referencia\n${ROW};${'x'.repeat(101)}`).issues).toMatchObject([
    { line: 2, column: 'referencia', issue: 'too_long' },
  ]);
});

test('a cell loses the mark that keeps a spreadsheet from computing it, and no other apostrophe or sign', () => {
  const described = ["'=1+1", "'-5", "'", "'Ana", '-5', '=1+1', '+55'];
  const { rows, issues } = read([HEAD, ...described.map((text) => `${ROW}${text}`)].join('\n'));
  expect(issues).toEqual([]);
  expect(rows.map(({ description }) => description)).toEqual(['=1+1', '-5', "'", "'Ana", '-5', '=1+1', '+55']);
});

test('the template of a batch has no issue', () => {
  expect(read(BATCH_TEMPLATE)).toMatchObject({ issues: [], rows: [{}, {}] });
});

test.each<[string, string[], unknown[]]>([
  ['no amount', ['abc;maria@example.com;EMAIL;'], [[2, 'valor', 'not_amount']]],
  ['an amount of zero', ['0,00;maria@example.com;EMAIL;'], [[2, 'valor', 'not_amount']]],
  ['an amount below zero', ['-5;maria@example.com;EMAIL;'], [[2, 'valor', 'not_amount']]],
  ['a third decimal', ['1,005;maria@example.com;EMAIL;'], [[2, 'valor', 'not_amount']]],
  [
    'an amount of more digits than a number has',
    [`1${'0'.repeat(20)};maria@example.com;EMAIL;`],
    [[2, 'valor', 'amount_too_large']],
  ],
  ['a type that there is none of', ['1;maria@example.com;MAIL;'], [[2, 'tipo_chave', 'not_pix_key_type']]],
  ['a key of another type', ['1;maria@example.com;CPF;'], [[2, 'chave', 'not_pix_key']]],
  ['a CPF whose digits are wrong', ['1;390.533.447-06;CPF;'], [[2, 'chave', 'not_pix_key']]],
  ['no key', ['1;;EMAIL;'], [[2, 'chave', 'not_pix_key']]],
  ['a message that is too long', [`1;maria@example.com;EMAIL;${'x'.repeat(141)}`], [[2, 'descricao', 'too_long']]],
  ['text that can’t be stored', ['1;maria@example.com;EMAIL;a\u0000b'], [[2, 'descricao', 'invalid_characters']]],
  ['a cell too many', [`${ROW};x`], [[2, null, 'csv_cells']]],
  ['a quote that does not end', [ROW, '10,00;"maria@example.com;EMAIL;'], [[3, null, 'csv_quotes']]],
  ['a quote that ends within a cell', [ROW, '"5"00;maria@example.com;EMAIL;'], [[3, null, 'csv_quotes']]],
  ['a quote behind one that ended', ['10,00;maria@example.com;EMAIL;"a" "b"'], [[2, null, 'csv_quotes']]],
  ['no row', [], [[1, null, 'csv_no_rows']]],
  [
    'several issues, each with its line, also after a cell of two lines',
    ['10,00;maria@example.com;EMAIL;"a\nb"', 'x;y;CPF;', ROW, 'x;maria@example.com;EMAIL;'],
    [
      [4, 'valor', 'not_amount'],
      [4, 'chave', 'not_pix_key'],
      [6, 'valor', 'not_amount'],
    ],
  ],
])('a batch is rejected with %s', (_what, lines, issues) => {
  expect(issuesOf(...lines)).toEqual(issues);
});

test.each([
  ['without the names of its columns', ROW],
  ['with a column that is unknown', `${HEAD};nome\n${ROW};Maria`],
  ['without a column', 'valor;chave;tipo_chave\n10,00;maria@example.com;EMAIL'],
  ['with a column twice', `valor;${HEAD}\n1;${ROW}`],
  ['that is empty', ''],
])('a file %s is no batch', (_what, file) => {
  expect(read(file).issues).toMatchObject([{ line: 1, column: null, issue: 'csv_columns' }]);
});

test('a batch has at most 1,000 rows and 256 kB', () => {
  const rows = (count: number) => [HEAD, ...Array<string>(count).fill(ROW)].join('\n');
  expect(read(rows(1_000))).toMatchObject({ issues: [], rows: { length: 1_000 } });
  expect(read(rows(1_001)).issues).toMatchObject([{ line: 1_002, issue: 'csv_too_many_rows' }]);
  expect(read('x'.repeat(256 * 1024 + 1)).issues).toMatchObject([{ issue: 'csv_too_large' }]);
});

test('the stored text of a batch decodes to its rows, and its key is the same in any order, but not with another amount', () => {
  const { rows } = read(`${HEAD}\n${ROW}\n20;39053344705;CPF;"Linha\nnova"`);
  expect(decodeBatchRows(encodeBatchRows(rows))).toEqual(rows);
  const keyOf = (all: typeof rows) => batchRowsKey(encodeBatchRows(all));
  expect(keyOf([...rows].reverse())).toBe(keyOf(rows));
  expect(keyOf(rows.map((row) => ({ ...row, amountCentavos: row.amountCentavos + 1n })))).not.toBe(keyOf(rows));
  expect(keyOf([...rows, ...rows])).not.toBe(keyOf(rows));
});
