import { confirmSession, endSessionOf } from '#db/members/members.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import type { SignInRule } from './sign-in-rule.ts';

/**
 * The bit of the authenticator's data that says that it has verified its user (WebAuthn section
 * 6.1).
 */
const USER_VERIFIED = 0x04;
const FLAGS_OFFSET = 32;

/** A passkey counts as both factors, so the browser has to verify the device's user. */
export const passkeyOptionsRule: SignInRule = {
  after: async (_request, _call, done) => ({ ...(done as object), userVerification: 'required' }),
};

/** A passkey signs in, or confirms a sensitive act in the session that asks for it. */
export const passkeyRule = (deps: Deps): SignInRule => ({
  async before(request, { body }) {
    const credentialId = (body.response as { id?: unknown } | undefined)?.id;
    const { member } = request;
    request.about = member ? { memberId: member.memberId } : { credentialId: String(credentialId) };
    if (!wasUserVerified(body)) throw new DomainError('confirmation_failed');
  },
  async after(request, _call, done) {
    if (!request.isConfirmation) return;
    const { session } = done as { session: { userId: string; token: string } };
    // A confirmation belongs to the session that requested it; the new one is not needed, and may
    // be another member's.
    await endSessionOf(deps.db, session.token);
    const { member } = request;
    if (!member || session.userId !== member.memberId) throw new DomainError('confirmation_failed');
    await confirmSession(deps.db, member.sessionId, deps.clock());
    request.isConfirmed = true;
  },
});

function wasUserVerified(body: Record<string, unknown>): boolean {
  const response = (body.response as { response?: { authenticatorData?: unknown } } | undefined)?.response;
  const data = Buffer.from(String(response?.authenticatorData ?? ''), 'base64url');
  return ((data[FLAGS_OFFSET] ?? 0) & USER_VERIFIED) !== 0;
}
