import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'attack', 'bench', 'drill', 'fuzz', 'packages', 'e2e', 'scripts'];

/** The name of a test, on the line of its call or on a line of its own below `.each(…)(`. */
const NAME = /^( *)(?:(?:test|it)(?:\.each\(.*?\))?\(|\]\)?(?: as const)?\)\()?(['"`])(.+?)\2, ?(?:async|\(|\{|$)/;
/** A name that continues the one before it. */
const CONTINUED = /^(and|but|nor|or|also|yet|not)\b/;
/** "What is none" does not say what is missing: "what is no code" does. */
const UNNAMED = /(?<!\bthere )\b(is|are) none\b(?! of)/;
/** A verb without its subject: in a `describe` that names the subject it is a sentence. */
const WITHOUT_SUBJECT =
  /^(it|they|found|rejected|is|are|was|were|has|have|does|do|can|may|must|never|accepts|agrees|answers|asks|comes|counts|ends|finds|gets|gives|goes|has|holds|keeps|knows|lists|makes|needs|reads|rejects|reports|returns|says|sends|shows|signs|starts|stays|stops|takes|works|writes)\b/;

/** The names of a file's tests that are no sentence by themselves. */
function fragmentsIn(source: string): string[] {
  const lines = source.split('\n');
  return lines.flatMap((line, at) => {
    const [, indent = '', , name = ''] = NAME.exec(line) ?? [];
    // A string on a line of its own is a name only below a call that is open.
    if (name === '' || (/^ *['"`]/.test(line) && !/\)\($/.test(lines[at - 1] ?? ''))) return [];
    const isAlone = indent === '' || (indent === '  ' && /^ /.test(line) && /^(test|it)\b/.test(lines[at - 1] ?? ''));
    return CONTINUED.test(name) || UNNAMED.test(name) || (isAlone && WITHOUT_SUBJECT.test(name)) ? [name] : [];
  });
}

test('every test is named by a sentence that says what is tested', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    fragmentsIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["test('is rejected', async () => {", ['is rejected']],
  ["test.each(CASES)('never shows %s', (text) => {", ['never shows %s']],
  ["])('and one that was %s is lost', async (_, answers) => {", ['and one that was %s is lost']],
  ["test.each(['a'])(\n  'is no code',\n  () => {", ['is no code']],
  ["test('found and named: %s', (text) => {", ['found and named: %s']],
  ["  test('not a key that was revoked', () => {", ['not a key that was revoked']],
  ["  test('%j is none', () => {", ['%j is none']],
  ["test('a code has no issue where there is none', () => {", []],
  ["describe('a code', () => {\n  test('is rejected', () => {", []],
  ["test('a code is rejected', () => {", []],
])('planted: of %j the fragments are %j', (source, fragments) => {
  expect(fragmentsIn(source)).toEqual(fragments);
});
