import { DomainError } from '#domain/errors/domain-error.ts';
import { type AuthRequest, withAuthRequest } from './auth-request.ts';
import type { Auth } from './create-auth.ts';

/**
 * Asks better-auth, with our rules around it. Errors (DomainError): what the rules reject, and
 * too_many_attempts where too many passwords are being hashed. Throws what the database failed
 * with, too.
 */
export async function askBetterAuth(
  auth: Pick<Auth, 'handler'>,
  request: AuthRequest,
  asked: Request,
): Promise<Response> {
  try {
    const answer = await withAuthRequest(request, () => auth.handler(asked));
    if (request.failure) throw request.failure;
    return answer;
  } catch (error) {
    if (request.failure) throw request.failure;
    // The password was not tried, so it does not count as a guess.
    if (error instanceof DomainError) await request.takeBack?.();
    throw error;
  }
}
