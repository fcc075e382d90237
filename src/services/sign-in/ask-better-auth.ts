import { DomainError } from '#domain/errors/domain-error.ts';
import { type AuthRequest, withAuthRequest } from './auth-request.ts';
import type { Auth } from './create-auth.ts';

/**
 * Asks better-auth, with our rules around it. Errors (DomainError): what the rules reject, and
 * too_many_attempts where too many passwords are being hashed.
 */
export async function askBetterAuth(
  auth: Pick<Auth, 'handler'>,
  request: AuthRequest,
  asked: Request,
): Promise<Response> {
  try {
    return await withAuthRequest(request, () => auth.handler(asked));
  } catch (error) {
    // It was rejected before it was tried: that is no guess.
    if (error instanceof DomainError) await request.takeBack?.();
    throw error;
  }
}
