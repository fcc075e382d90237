import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { PanelAuth, PanelContext } from '#server/procedures/context.ts';
import { panelRouter } from '#server/procedures/panel-router.ts';
import { createCallerFactory } from '#server/procedures/procedure.ts';
import type { Member } from '#services/api-keys/principal.ts';
import type { Deps } from '#services/deps.ts';
import { inviteMember } from '#services/members/invite-member.ts';

/**
 * The panel's procedures as a signed-in member of an account calls them, without the HTTP handler
 * in front: sign-in, CSRF and second factors are tested there. Every call has a fresh `subjectId`.
 */
export async function panelCaller(
  deps: Deps,
  accountId: string,
  member: Partial<Member> = {},
  panel: Partial<PanelContext> = {},
  /** Aborts streams. */
  signal?: AbortSignal,
) {
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  const actor: Member = {
    kind: 'member',
    memberId: uuidv7(deps.clock()),
    merchantId: terms.merchantId,
    role: 'owner',
    sessionId: 'session-of-a-test',
    name: 'Maria da Silva',
    email: 'maria@example.com',
    hasSecondFactor: false,
    withdrawalsBlockedUntil: null,
    language: null,
    theme: null,
    ...member,
  };
  const auth: PanelAuth = {
    prove: async () => {},
    readResetLink: async () => actor.email,
    signUp: async () => {},
    invite: (input) => inviteMember(deps, input),
  };
  const context = () => ({
    deps,
    principal: { ...terms, actor, permissions: PERMISSIONS },
    subjectId: uuidv7(deps.clock()),
    panel: {
      member: actor,
      language: 'pt-BR' as const,
      origin: { ipAddress: '127.0.0.1', userAgent: 'vitest' },
      visitor: 'visitor-of-a-test',
      confirmations: { require: async () => {} },
      auth,
      stillSignedIn: async () => true,
      ...panel,
    },
  });
  return createCallerFactory(panelRouter)(context, signal && { signal });
}
