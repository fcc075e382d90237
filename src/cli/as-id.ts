import { isUuid } from '#domain/values/uuid.ts';
import { CommandError } from './context.ts';

/** Where the ids of each kind are found. */
const FOUND_IN = {
  account: '"account list" shows it',
  callback: '"callbacks list" shows it',
  change: '"account terms" shows it',
  case: '"dispute list" shows it',
  charge: 'the API answers it, and the panel shows it',
  mail: '"mail list" shows it',
  operation: '"operation list" shows it',
  payment: '"unmatched list" shows it',
  review: '"review list" shows it',
  subject: '"tasks list" shows it',
} as const;

/** Reads an id that was typed, in lower case. Throws CommandError where it is no UUID. */
export function asId(kind: keyof typeof FOUND_IN, text: string): string {
  if (!isUuid(text)) throw new CommandError(`"${text}" is no id (${kind}): ${FOUND_IN[kind]}.`);
  return text.toLowerCase();
}
