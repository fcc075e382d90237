import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');

/**
 * The codecs of src/contract parse what callers send, once, and write what they get. Code behind
 * them that reads a text again, or has a default for an input that is never missing, hides what the
 * schema guarantees.
 */
const RULES: { name: string; files: RegExp; found: RegExp; planted: string[]; fine: string[] }[] = [
  {
    name: 'a procedure reads no text: its schema did',
    files: /^server\/procedures\//,
    found:
      /\b(parseBrl|readBrl|parseEmail|parsePhone|parseDocument|readDocument|documentTypeOf|parsePixKey|pixKeyType|parseCurrencyCode|parseIpRange|eventIdOf)\(/,
    planted: ["parseEmail(input.email) ?? ''", 'const key = parsePixKey(text, type);'],
    fine: ['toBrl(centavos)', 'const { pixKeyType } = input;'],
  },
  {
    name: 'a procedure writes nothing for the wire: its schema does',
    files: /^server\/procedures\//,
    found: /\b(toBrl|unitsToNumber|unitsToDecimal|publicEventId)\(|\.toISOString\(|\.output\((?!encoded\()/,
    planted: ['amount: toBrl(refund.centavos),', 'at.toISOString()', '.output(balanceOutput)'],
    fine: ['amount: refund.centavos,', '.output(encoded(balanceOutput))'],
  },
  {
    name: 'a procedure has no value ready for what its input lacks',
    files: /^server\/procedures\//,
    found: /\?\? (0n\b|''|'[a-z])|\|\| ('|null|0n)/,
    planted: ['readBrl(input.amount) ?? 0n', "text ?? ''", "type ?? 'cpf'", 'text.trim() || null'],
    fine: ['at?.toISOString() ?? null', 'fees[type] ?? FREE'],
  },
  {
    name: 'what a schema gave is taken as it is',
    files: /^server\/(procedures|rest|panel|auth)\//,
    found:
      /\b(input|filters)(\??\.\w+)+\??(\.(trim|toLowerCase)\(\))? (\?\?|\|\|) |\b(BigInt|Number|new Date)\(input\b|typeof input\.|\binput(\.\w+)+(\([^)]*\))? as \w/,
    planted: [
      'description: input.description ?? null,',
      'input.cursor?.toLowerCase() ?? null',
      'BigInt(input.id)',
      'new Date(input.expires_at)',
      "typeof input.phone === 'string'",
      'input.currency as CurrencyCode',
    ],
    fine: ['...input', 'input.wallet', 'createCharge(deps, input as const)'],
  },
  {
    name: 'a parse is no reason for a cast',
    files: /^server\/(procedures|rest|panel|auth)\//,
    found: /(?<!JSON\.)\b(parse|safeParse|read|decode)[A-Z]?\w*\([^()]*\) as \w/,
    planted: ['parsePixKey(input.pixKey, type) as string', 'readDocument(text) as Document'],
    fine: ['const [text, value] = parse(bytes);', 'JSON.parse(token) as string'],
  },
];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

test.each(RULES)('$name', ({ files: where, found }) => {
  const read = files.filter((name) => where.test(name));
  expect(read.length).toBeGreaterThan(10);
  const offences = read.flatMap((name) =>
    readFileSync(join(SRC, name), 'utf8')
      .split('\n')
      .flatMap((line, index) => (found.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(offences).toEqual([]);
});

test.each(RULES)('planted: $name', ({ found, planted, fine }) => {
  expect(planted.filter((line) => !found.test(line))).toEqual([]);
  expect(fine.filter((line) => found.test(line))).toEqual([]);
});
