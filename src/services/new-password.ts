import { hashPassword } from 'better-auth/crypto';
import { PanelError } from '#domain/panel-error.ts';
import { type PasswordOwner, passwordFault } from '#domain/password.ts';
import { isBreached } from './breached-passwords.ts';

/** Refuses a new password that is easy to guess, for whoever it is. Errors (PanelError): weak_password, with the fact `why`. */
export async function demandStrongPassword(password: unknown, owner: PasswordOwner): Promise<void> {
  const fault =
    typeof password !== 'string'
      ? 'short'
      : (passwordFault(password, owner) ?? ((await isBreached(password)) ? 'breached' : null));
  if (fault) throw new PanelError('weak_password', { facts: { why: fault } });
}

/** The same, and hashes it (scrypt, 124 ms of a core: only for whoever has shown a link). */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  await demandStrongPassword(password, owner);
  return hashPassword(password);
}
