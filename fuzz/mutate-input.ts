import fc from 'fast-check';
import { hostileJson, hostileName } from './hostile-values.ts';

type Json = Record<string, unknown>;

/** The members of an input, in the order in which they are sent; each value as its JSON text. */
export type InputText = [name: string, json: string][];

/** One error of an input. `at` chooses the field, however many there are. */
type Mutation =
  | { how: 'replace'; at: number; json: string }
  | { how: 'leave out'; at: number }
  | { how: 'send twice'; at: number; json: string }
  | { how: 'add'; name: string; json: string };

/** A text that is no hostile value, so that it can be replaced in a JSON text. */
const PLACEHOLDER = 'placeholder-of-a-hostile-value';

const at = fc.nat();
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { arbitrary: fc.record({ how: fc.constant('replace' as const), at, json: hostileJson }), weight: 8 },
  { arbitrary: fc.record({ how: fc.constant('leave out' as const), at }), weight: 1 },
  { arbitrary: fc.record({ how: fc.constant('send twice' as const), at, json: hostileJson }), weight: 1 },
  {
    arbitrary: fc.record({ how: fc.constant('add' as const), name: hostileName, json: hostileJson }),
    weight: 1,
  },
);

export const inputText = (input: Json): InputText =>
  Object.entries(input).map(([name, value]) => [name, JSON.stringify(value)]);

/** Returns an input with these errors. `fields`: where it has values, as paths (`['a', '0']`). */
export function mutateInput(input: Json, mutations: readonly Mutation[], fields: readonly string[][]): InputText {
  let text = inputText(input);
  for (const each of mutations) {
    if (each.how === 'add' || fields.length === 0) {
      text = [...text, [each.how === 'add' ? each.name : 'x', 'json' in each ? each.json : '1']];
      continue;
    }
    const path = fields[each.at % fields.length] as string[];
    const [name = '', ...inner] = path;
    if (each.how === 'leave out') text = text.filter(([member]) => member !== name);
    else if (each.how === 'send twice') text = [...text, [name, each.json]];
    else {
      const whole = JSON.stringify(put(input[name], inner, PLACEHOLDER)).replace(`"${PLACEHOLDER}"`, () => each.json);
      text = [...text.filter(([member]) => member !== name), [name, whole]];
    }
  }
  return text;
}

export const jsonText = (input: InputText): string =>
  `{${input.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

function put(value: unknown, [name, ...rest]: readonly string[], replacement: string): unknown {
  if (name === undefined) return replacement;
  if (name === '0') return [put(undefined, rest, replacement)];
  const object = typeof value === 'object' && value !== null ? value : {};
  return { ...object, [name]: put((object as Json)[name], rest, replacement) };
}
