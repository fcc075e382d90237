import { type AuthAnswer, authCall } from '#panel/auth/auth-call.ts';
import { replacingSession } from '#panel/connection/session-change.ts';
import { askConfirmation } from '#panel/shell/confirmations.tsx';
import { goToSignIn } from '#panel/shell/sign-in-address.ts';

/** How the sign-in and its library say that there is no session. */
const SIGNED_OUT: ReadonlySet<string> = new Set(['not_signed_in', 'UNAUTHORIZED']);

/**
 * Calls the sign-in about the member's own access; most such calls replace the session. Leaves for
 * the sign-in page when the session has ended.
 */
export async function ownAccessCall(path: string, body?: object): Promise<AuthAnswer> {
  const answer = await replacingSession(authCall(path, body));
  if (!answer.ok && SIGNED_OUT.has(answer.error)) goToSignIn();
  return answer;
}

/**
 * Makes such a call; where it requires a fresh second factor, asks for one and makes it again.
 */
export async function guardedCall(path: string, body?: object): Promise<AuthAnswer> {
  const answer = await ownAccessCall(path, body);
  if (answer.ok || answer.error !== 'confirmation_required' || !(await askConfirmation({ path }))) return answer;
  return ownAccessCall(path, body);
}
