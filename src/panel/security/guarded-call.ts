import { type AuthAnswer, authCall } from '#panel/auth/auth-call.ts';
import { askConfirmation } from '#panel/shell/confirmations.tsx';

/** Calls the sign-in; where it requires a fresh second factor, asks for one and calls again. */
export async function guardedCall(path: string, body?: object): Promise<AuthAnswer> {
  const answer = await authCall(path, body);
  if (answer.ok || answer.error !== 'confirmation_required' || !(await askConfirmation({ path }))) return answer;
  return authCall(path, body);
}
