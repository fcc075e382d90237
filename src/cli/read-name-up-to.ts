import { InvalidArgumentError } from 'commander';
import { isUnprintable } from '#domain/values/typed-name.ts';

/** Of a merchant or a person: what the panel takes, too. */
export const NAME_LENGTH_MAX = 200;

/** Returns a reader for the option of a name, of at most `max` characters. */
export const readNameUpTo = (max: number) => (text: string) => {
  const name = text.trim();
  if (name === '' || name.length > max || isUnprintable(name)) {
    throw new InvalidArgumentError(`Give a name of 1 to ${max} visible characters, in one line.`);
  }
  return name;
};
