import { DomainError } from '#domain/errors/domain-error.ts';
import type { Language } from '#domain/values/language.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { requestSignUp, type SignUpInput } from '../members/sign-up.ts';
import type { GuessLimits } from './guess-limits.ts';

/**
 * Begins a sign-up, unless too many messages went to its address or were requested from its
 * client's address. Errors (DomainError): rate_limited, and those of requestSignUp.
 */
export async function askSignUp(
  deps: Deps,
  limits: Pick<GuessLimits, 'takeMail'>,
  input: SignUpInput,
  from: { origin: Origin; language: Language },
): Promise<void> {
  const wait = await limits.takeMail('sign-up', input.email.toLowerCase(), from.origin.ipAddress ?? '');
  if (wait > 0) throw new DomainError('rate_limited');
  await requestSignUp(deps, input, from.language);
}
