import { DomainError } from '#domain/errors/domain-error.ts';
import { type PasswordOwner, passwordIssue } from '#domain/members/password.ts';
import { isBreached } from './breached-passwords.ts';
import { passwordHashing } from './password-hashing.ts';

/**
 * Rejects a new password that is easy to guess. Errors (DomainError): weak_password, with the param
 * `why`.
 */
export async function demandStrongPassword(password: unknown, owner: PasswordOwner): Promise<void> {
  const issue =
    typeof password !== 'string'
      ? 'short'
      : (passwordIssue(password, owner) ?? ((await isBreached(password)) ? 'breached' : null));
  if (issue) throw new DomainError('weak_password', { params: { why: issue } });
}

/**
 * Hashes a new password, unless it is easy to guess. Hashing is expensive: only for a request with
 * a valid link. Errors (DomainError): weak_password, with the param `why`; too_many_attempts.
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  await demandStrongPassword(password, owner);
  return passwordHashing.hash(password);
}
