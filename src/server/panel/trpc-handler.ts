import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { ACCOUNT_HEADER } from '#contract/account-header.ts';
import { PAGE_NEEDS, type PagePath } from '#contract/members/page-needs.ts';
import type { PagePrefetch } from '#contract/page-prefetch.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { BATCH_LENGTH_MAX } from '#domain/withdrawals/payout-batch.ts';
import { inTimeOf } from '#services/accounts/on-test-clock.ts';
import { runForAccount } from '#services/accounts/run-for-account.ts';
import type { Member, Principal } from '#services/api-keys/principal.ts';
import { isNotedRejection, noteMemberRejection, type RejectionAudit } from '#services/audit/rejection-audit.ts';
import { getPrincipal } from '#services/members/get-principal.ts';
import type { Idempotency } from '#services/requests/run-idempotently.ts';
import { askInvitation } from '#services/sign-in/ask-invitation.ts';
import { askSignUp } from '#services/sign-in/ask-sign-up.ts';
import type { ConfirmMember } from '#services/sign-in/confirm-member.ts';
import type { Confirmations } from '#services/sign-in/confirmations.ts';
import type { GuessLimits } from '#services/sign-in/guess-limits.ts';
import type { AuthHandler } from '../auth/auth-handler.ts';
import { checkPageCall } from '../auth/check-page-call.ts';
import type { AccountGates } from '../http/account-gates.ts';
import { answerProcedure } from '../http/answer-procedure.ts';
import { sendJson } from '../http/json.ts';
import type { LaneDeps } from '../http/lane-deps.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Context, PanelAuth } from '../procedures/context.ts';
import { panelRouter } from '../procedures/panel-router.ts';
import { isOpenTo, mayCall } from '../procedures/role-access.ts';
import { isOwnFailure } from '../procedures/trpc-errors.ts';
import { BODY_BYTES_MAX } from '../rest/body.ts';
import { callOnce, type FailedCall } from './call-once.ts';
import { addressOf, isChange, isStream, type Mode, metaOf } from './panel-procedures.ts';
import { prefetchFor, publicPrefetchFor } from './prefetch.ts';
import { TRPC_PREFIX } from './trpc-prefix.ts';

type Visitor = { member: Member | null; principal: Principal | null };
const WITHOUT_SESSION: Visitor = { member: null, principal: null };

export type TrpcHandler = {
  /** Who asks, and their account in a mode. */
  visitorOf(req: IncomingMessage, mode: Mode): Promise<Visitor>;
  /** The reads of a member's page while it is rendered. */
  prefetchOf(req: IncomingMessage, mode: Mode, member: Member): Promise<PagePrefetch['read']>;
  /** Whether there is a page of the panel for a member. */
  hasPage(member: Member, page: PagePath): boolean;
  /** The reads of a public page while it is rendered. */
  publicPrefetchOf(req: IncomingMessage): PagePrefetch['read'];
  /** Whether a call stays open; `address` is the part after /api/trpc/. */
  isStream(address: string): boolean;
  /** Answers a call of a page; `path` is below /api/trpc. */
  callProcedure(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void>;
};

export type TrpcHandlerParts = {
  deps: LaneDeps;
  accounts: AccountGates;
  authHandler: AuthHandler;
  /** The session or the address that a call counts for. */
  visitorOf: (req: IncomingMessage) => string;
  confirm: ConfirmMember;
  readResetLink: PanelAuth['readResetLink'];
  confirmations: Confirmations;
  limits: GuessLimits;
  idempotency: Idempotency;
  rejections: RejectionAudit;
};

/**
 * Serves the procedures to the pages. The session identifies the member, the address the mode
 * (/api/trpc/live/…); a call without a mode reaches only what is public. A mutation has to come
 * from one of our pages, as JSON.
 */
export function createTrpcHandler(parts: TrpcHandlerParts): TrpcHandler {
  const { deps, accounts, authHandler, confirm, confirmations, limits, idempotency, rejections } = parts;
  const { log } = deps.visitors;

  const visitorOf: TrpcHandler['visitorOf'] = async (req, mode) => visitorAs(await authHandler.memberOf(req), mode);

  const visitorAs = async (member: Member | null, mode: Mode): Promise<Visitor> => ({
    member,
    principal: member && (await getPrincipal(deps.reads, member, mode)),
  });

  const authOf = (req: IncomingMessage): PanelAuth => ({
    prove: (member, proof) => confirm(member, proof, authHandler.headersOf(req)),
    readResetLink: parts.readResetLink,
    signUp: (input) =>
      askSignUp(deps.visitors, limits, input, {
        origin: authHandler.originOf(req),
        language: chooseLanguage(req.headers['accept-language'] ?? null),
      }),
    invite: (input) => askInvitation(deps.writes, limits, input),
  });

  const contextOf = async (req: IncomingMessage, visitor: Visitor, isOnce = false): Promise<Context> => {
    const lane = visitor.member === null ? 'visitors' : req.method === 'GET' ? 'reads' : 'writes';
    const own = visitor.principal ? await inTimeOf(deps[lane], visitor.principal) : deps[lane];
    return {
      deps: own,
      principal: visitor.principal,
      subjectId: isOnce ? '' : uuidv7(own.clock()),
      panel: {
        member: visitor.member,
        origin: authHandler.originOf(req),
        visitor: parts.visitorOf(req),
        language: chooseLanguage(visitor.member?.language ?? req.headers['accept-language'] ?? null),
        confirmations,
        auth: authOf(req),
        stillSignedIn: async () => {
          const member = await authHandler.memberOf(req);
          const began = visitor.member;
          return member?.merchantId === began?.merchantId && member?.role === began?.role;
        },
      },
    };
  };

  return {
    visitorOf,
    async prefetchOf(req, mode, member) {
      const context = await contextOf(req, await visitorAs(member, mode));
      return prefetchFor(context, accounts);
    },
    hasPage: (member, page) => mayCall(member.role, PAGE_NEEDS[page]),
    publicPrefetchOf(req) {
      const reading = contextOf(req, WITHOUT_SESSION).then(publicPrefetchFor);
      return async (path, input) => (await reading)(path, input);
    },
    isStream,
    async callProcedure(req, res, requestContext) {
      res.setHeader('cache-control', 'no-store');
      const { mode, path } = addressOf(requestContext.path.slice(TRPC_PREFIX.length));
      // tRPC would decode it, and everything around it knows a procedure by the name that was sent:
      // what it costs, whether it streams, which secrets a kept answer leaves out.
      if (path.includes('%')) throw new DomainError('route_not_found');
      checkPageCall(req, res);
      const notes: Promise<void>[] = [];
      const onError = ({ error, path: of }: FailedCall) => {
        const { code } = (error.cause ?? {}) as { code?: unknown };
        const name = of ?? path;
        if (isNotedRejection(code)) notes.push(noteRejection(context, name, code));
        else if (isDenied(context.panel?.member, name)) notes.push(noteRejection(context, name, 'permission_denied'));
        if (isOwnFailure(error.code)) {
          log.error({ err: error.cause ?? error, requestId: requestContext.requestId }, 'A page procedure failed.');
        }
      };
      const key = req.method === 'POST' ? req.headers['idempotency-key'] : undefined;
      const isOnce = typeof key === 'string' && mode !== null;
      const visitor = mode ? await visitorOf(req, mode) : WITHOUT_SESSION;
      const context = await contextOf(req, visitor, isOnce);
      const accountId = context.principal?.accountId;
      requestContext.accountId = accountId;
      const asked = req.headers[ACCOUNT_HEADER];
      if (accountId !== undefined && asked !== undefined && asked !== accountId) {
        const { status } = ERROR_CATALOGUE.other_account;
        // tRPC's client takes an error without a code for no answer, and tries again.
        const code = TRPC_ERROR_CODES_BY_KEY.CONFLICT;
        return sendJson(res, status, { error: { code, message: 'other_account', data: { reason: 'other_account' } } });
      }
      // tRPC ends a stream when its client hangs up from here on: it would keep one that hung up
      // while its session was looked up until the process stops.
      if (isStream(path) && res.destroyed) return;
      const answer = () =>
        isOnce
          ? callOnce({ deps: deps.writes, idempotency }, req, res, { context, path, key, onError })
          : answerProcedure(req, res, {
              router: panelRouter,
              path,
              bodyBytesMax: bodyBytesMax(path),
              context,
              onError,
            });
      if (accountId === undefined) await answer();
      // A stream lasts as long as its page is open, and has bounds of its own.
      else if (isStream(path)) await runForAccount(accountId, answer);
      else await accounts.run(req.method === 'GET' ? 'read' : 'write', accountId, res, answer);
      await Promise.all(notes);
    },
  };

  /** Audits what a member was not allowed to do, or could not prove. */
  async function noteRejection({ panel, principal }: Context, path: string, why: string): Promise<void> {
    if (!panel?.member) return;
    const by = { member: panel.member, accountId: principal?.accountId ?? null, origin: panel.origin };
    await noteMemberRejection(rejections, by, { operation: path, why, audit: metaOf(path)?.audit });
  }
}

/**
 * Whether a call would change what the member's role may not. It is answered as nothing, but its
 * merchant's owners learn that it was tried.
 */
const isDenied = (member: Member | null | undefined, path: string): boolean =>
  member !== null && member !== undefined && isChange(path) && !isOpenTo(member.role, path);

/** The procedures that take the text of a file. */
const TAKES_FILES: ReadonlySet<string> = new Set(['batches.preview', 'batches.make']);

/**
 * In JSON a character of a file takes two bytes at most: a line end, a quote or a letter with an
 * accent.
 */
const FILE_BYTES_MAX = 2 * BATCH_LENGTH_MAX + BODY_BYTES_MAX;

const bodyBytesMax = (path: string): number => (TAKES_FILES.has(path) ? FILE_BYTES_MAX : BODY_BYTES_MAX);
