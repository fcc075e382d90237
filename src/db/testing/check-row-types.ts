import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedColumn } from './describe-statement.ts';
import type { Statement } from './statements.ts';

export type DescribedStatement = Statement & { columns: readonly DescribedColumn[] };

/** What is wrong with a column of a declared row; `never` when nothing is. */
const CHECK = `
type Column$<Type, Null extends 'yes' | 'no' | 'unknown'> = { type: Type; null: Null };
type Mismatch$<D, C, K> = K extends keyof D
  ? K extends keyof C
    ? C[K] extends Column$<infer Type, infer Null> ? TypeMismatch$<D[K], Type> | NullMismatch$<D[K], Null> : never
    : 'is not selected'
  : 'is not declared';
type TypeMismatch$<D, Type> = [NonNullable<D>] extends [Type] ? never
  : [Type] extends [NonNullable<D>] ? never : 'is of another type';
type NullMismatch$<D, Null> = [Null, null extends D ? 'yes' : 'no'] extends ['yes', 'no'] ? 'may be NULL'
  : [Null, null extends D ? 'yes' : 'no'] extends ['no', 'yes'] ? 'is never NULL' : never;
type Check$<D, C, K> = [Mismatch$<D, C, K>] extends [never] ? true : Mismatch$<D, C, K>;
`;

/** Something that is wrong with the type that a statement's rows are declared with. */
export type RowTypeMismatch = { at: string; column: string; what: string };

/**
 * Has the compiler compare the types that statements' rows are declared with, in their own modules,
 * with what the database says of their columns.
 */
export async function checkRowTypes(
  folder: string,
  statements: readonly DescribedStatement[],
): Promise<RowTypeMismatch[]> {
  const checked: { at: string; column: string }[] = [];
  for (const [path, own] of Map.groupBy(statements, (one) => one.path)) {
    const checks = own.flatMap(({ at, rowType, columns }, nth) => {
      if (rowType === null) return [];
      const check = (column: string, key: string) =>
        `export const check$${checked.push({ at, column }) - 1}: Check$<Declared$${nth}, Described$${nth}, ${key}> = true;`;
      return [
        `type Declared$${nth} = ${rowType}; type Described$${nth} = ${describedType(columns)};`,
        ...columns.map(({ name }) => check(name, JSON.stringify(name))),
        check('(one that is declared)', `Exclude<keyof Declared$${nth}, keyof Described$${nth}>`),
      ];
    });
    const source = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    writeFileSync(join(folder, 'src', path), `${source}\n${CHECK}\n${checks.join('\n')}\n`);
  }
  const extended = join(import.meta.dirname, '../../../tsconfig.json');
  const compilerOptions = { incremental: false, plugins: [] };
  const include = { include: ['src/db/**/*.ts'], exclude: ['src/db/generated'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: extended, compilerOptions, ...include }));
  const found = (await compile(folder)).matchAll(/^(\S+?)\((\d+),\d+\): error (.*)$/gm);
  return [...found].map(([, file = '', line = '', message = '']) => {
    const text = readFileSync(join(folder, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
    const check = checked[Number(/const check\$(\d+)/.exec(text)?.[1] ?? -1)] ?? { at: `${file}:${line}`, column: '' };
    return { ...check, what: /is not assignable to type '(.*)'\.$/.exec(message)?.[1] ?? message };
  });
}

const describedType = (columns: readonly DescribedColumn[]): string =>
  `{ ${columns.map((one) => `${JSON.stringify(one.name)}: Column$<${one.type}, '${one.null}'>`).join('; ')} }`;

/** The output of the compiler; empty when it finds no error. */
const compile = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    const tsc = join(folder, 'node_modules/.bin/tsc');
    execFile(tsc, ['--noEmit', '-p', folder], { cwd: folder, maxBuffer: 64 * 2 ** 20 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
