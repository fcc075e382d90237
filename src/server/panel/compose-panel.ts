import type { IncomingMessage } from 'node:http';
import type { RejectionAudit } from '#services/audit/rejection-audit.ts';
import type { CounterStore } from '#services/requests/limiter-query.ts';
import type { Idempotency } from '#services/requests/run-idempotently.ts';
import { createConfirmMember } from '#services/sign-in/confirm-member.ts';
import { createConfirmations } from '#services/sign-in/confirmations.ts';
import { cookieName } from '#services/sign-in/cookie-name.ts';
import { createAuth } from '#services/sign-in/create-auth.ts';
import { createGuessLimits } from '#services/sign-in/guess-limits.ts';
import { readResetLink } from '#services/sign-in/reset-password-rules.ts';
import { signInPlugin } from '#services/sign-in/sign-in-plugin.ts';
import { type AuthHandler, createAuthHandler } from '../auth/auth-handler.ts';
import { createKnownSessions, type KnownSessions } from '../auth/known-sessions.ts';
import type { AccountGates } from '../http/account-gates.ts';
import type { LaneDeps } from '../http/lane-deps.ts';
import { createOperatorHandler, type OperatorHandler } from '../operator/operator-handler.ts';
import { createFileHandler, type FileHandler } from './file-handler.ts';
import { createTrpcHandler, type TrpcHandler } from './trpc-handler.ts';

/** Builds the panel's handlers (sign-in, procedures, files), and the console's. */
export function composePanel(parts: {
  deps: LaneDeps;
  accounts: AccountGates;
  idempotency: Idempotency;
  clientAddress: (req: IncomingMessage) => string;
  rejections: RejectionAudit;
  /** Where guesses are counted: in memory by a process that is alone. */
  store: CounterStore;
}): {
  auth: AuthHandler;
  panel: TrpcHandler;
  files: FileHandler;
  operator: OperatorHandler;
  knownSessions: KnownSessions;
} {
  const { deps, accounts, idempotency, clientAddress, store, rejections } = parts;
  const { secretBox, settings } = deps.visitors;
  const fingerprint = (text: string) => secretBox.fingerprint(text, 'guess-limit').toString('base64url');
  const limits = createGuessLimits(store, fingerprint);
  const confirmations = createConfirmations(deps.visitors);
  const auth = createAuth(deps.visitors, signInPlugin(deps.visitors, { limits, confirmations }));
  const confirm = createConfirmMember(deps.visitors, auth, limits);
  const knownSessions = createKnownSessions(cookieName('session_token', settings.publicUrl));
  // A member who is known is looked up apart from those whose cookies may be made up.
  const lookUpDepsOf = (req: IncomingMessage) => deps[knownSessions.of(req) === null ? 'visitors' : 'reads'];
  const handler = createAuthHandler({
    deps: deps.visitors,
    lookUpDepsOf,
    auth,
    clientAddress,
    rejections,
  });
  const authHandler: AuthHandler = {
    ...handler,
    async memberOf(req) {
      const member = await handler.memberOf(req);
      knownSessions.note(req, member !== null);
      return member;
    },
  };
  const visitorOf = (req: IncomingMessage) => knownSessions.of(req) ?? clientAddress(req);
  const panel = createTrpcHandler({
    deps,
    accounts,
    authHandler,
    visitorOf,
    confirm,
    readResetLink: (token) => readResetLink(deps.visitors, auth, token),
    confirmations,
    limits,
    idempotency,
    rejections,
  });
  const operator = createOperatorHandler({ deps: deps.writes, limits, rejections, clientAddress });
  const files = createFileHandler(deps, { auth: authHandler, panel, rejections });
  return { auth: authHandler, panel, files, operator, knownSessions };
}
