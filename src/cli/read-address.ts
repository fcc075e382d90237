import { InvalidArgumentError } from 'commander';
import { parseEmail } from '#domain/values/contact.ts';

/** Reads an e-mail address, for an option. Throws InvalidArgumentError for anything else. */
export function readAddress(text: string): string {
  const email = parseEmail(text);
  if (!email) throw new InvalidArgumentError('Give an e-mail address.');
  return email;
}
