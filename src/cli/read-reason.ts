import { InvalidArgumentError } from 'commander';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';

/** Returns a reader for the option of a reason, of at most `max` characters. */
export const reasonUpTo = (max: number) => (text: string) => {
  const reason = text.trim();
  if (reason === '' || reason.length > max) throw new InvalidArgumentError(`Give 1 to ${max} characters.`);
  return reason;
};

export const readReason = reasonUpTo(REASON_LENGTH_MAX);
