import { createParser } from 'nuqs/server';

/** A value that stands in the address by another word, `blocked` as `bloqueado`, and no other. */
export function parseAsWord<Value extends string>(words: Readonly<Record<Value, string>>) {
  const values = Object.keys(words) as Value[];
  return createParser<Value>({
    parse: (word) => values.find((value) => words[value] === word) ?? null,
    serialize: (value) => words[value],
  });
}
