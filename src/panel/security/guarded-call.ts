import { type AuthAnswer, authCall } from '#panel/auth/auth-call.ts';
import { replacingSession } from '#panel/connection/session-change.ts';
import { askConfirmation } from '#panel/shell/confirmations.tsx';

/** Calls the sign-in about the member's own access; most such calls replace the session. */
export const ownAccessCall = (path: string, body?: object): Promise<AuthAnswer> =>
  replacingSession(authCall(path, body));

/**
 * Makes such a call; where it requires a fresh second factor, asks for one and makes it again.
 */
export async function guardedCall(path: string, body?: object): Promise<AuthAnswer> {
  const answer = await ownAccessCall(path, body);
  if (answer.ok || answer.error !== 'confirmation_required' || !(await askConfirmation({ path }))) return answer;
  return ownAccessCall(path, body);
}
