import { createParser } from 'nuqs/server';

/**
 * A parser of values that have other words in the address, `blocked` as `bloqueado`; any other word
 * is null.
 */
export function parseAsWord<Value extends string>(words: Readonly<Record<Value, string>>) {
  const values = Object.keys(words) as Value[];
  return createParser<Value>({
    parse: (word) => values.find((value) => words[value] === word) ?? null,
    serialize: (value) => words[value],
  });
}
