import { type AuthAnswer, authCall } from '#panel/auth/auth-call.ts';
import { askConfirmation } from '#panel/shell/confirmations.tsx';

/**
 * A call to the sign-in that may ask for a fresh second factor first; made again once there is one.
 */
export async function guardedCall(path: string, body?: object): Promise<AuthAnswer> {
  const answer = await authCall(path, body);
  if (answer.ok || answer.error !== 'confirmation_required' || !(await askConfirmation({ path }))) return answer;
  return authCall(path, body);
}
