import { z } from 'zod';
import type { ExpiresIn } from '#domain/charges/expires-in.ts';
import { optional } from '../codecs.ts';
import { issue } from '../issues/issue-message.ts';

/**
 * How long a charge or an invoice is payable, in seconds; null: as long as the installation says.
 */
export function expiresInInput({ min, max }: ExpiresIn, description: string) {
  const error = issue('not_integer', { min, max });
  return optional(z.int({ error }).min(min, { error }).max(max, { error })).describe(description);
}
