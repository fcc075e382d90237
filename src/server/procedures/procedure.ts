import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { Permission } from '#domain/api-keys/permissions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { ApiErrorCode } from '#domain/errors/error-catalogue.ts';
import type { Role } from '#domain/members/roles.ts';
import type { ActingPrincipal, Origin, Principal } from '#services/api-keys/principal.ts';
import type { Context } from './context.ts';
import { mayCall } from './role-access.ts';
import { messageOf, reasonOf, reject, toTrpcError, translated } from './trpc-errors.ts';

/** Returns the error of an input with issues in `fields`; `input` is what was sent. */
export type InputError = (fields: ReadonlySet<string>, input: Record<string, unknown>) => ApiErrorCode;

/** The meta of a procedure: its REST operation, and what it requires of its caller. */
export type ProcedureMeta = OpenApiMeta & {
  /** The permission that an API key needs for it; a member has them all. */
  permission?: Permission;
  /**
   * In the panel only: asks for a fresh second factor. `recent`: one within the last minutes will
   * do; `each`: this call uses it up, because it sends money. Whatever asks for one is denied to a
   * member who is paused after a new password.
   */
  confirm?: 'recent' | 'each';
  /**
   * Members of the output, as paths (`data.api_key`), that are shown once: an Idempotency-Key does
   * not keep them, and a repeated request gets null in their place.
   */
  secrets?: readonly string[];
  /**
   * Set where it moves money or opens an account: the action under which its service audits it,
   * from which the action of a call that was not permitted is made.
   */
  audit?: string;
  /**
   * It may change something although the account is suspended: it is about the member, not about
   * the account, or takes a right away.
   */
  whileSuspended?: true;
  rest?: {
    /** The errors it can give besides those of every operation. */
    errors: readonly ApiErrorCode[];
    /**
     * Which error an input with issues in these fields is; `invalid_input` where it does not say.
     */
    inputError?: InputError;
    /** The status of success; 200 where it does not say. */
    status?: 201;
    /**
     * The contract gives the crypto endpoints error bodies of their own; `failure` is the message
     * of their 500.
     */
    crypto?: { failure: string };
  };
};

/**
 * Below the 15 to 60 s after which proxies and telephone networks cut a connection that says
 * nothing.
 */
const PING_EVERY_MS = 10_000;
/** Two pings that did not come, and some time on the way. */
const RECONNECT_AFTER_MS = 25_000;

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    // Live updates: a dead connection shows by its missing pings, to proxies too, and the browser
    // opens another.
    sse: {
      ping: { enabled: true, intervalMs: PING_EVERY_MS },
      client: { reconnectAfterInactivityMs: RECONNECT_AFTER_MS },
    },
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: messageOf(error),
      data: { ...shape.data, ...reasonOf(error) },
    }),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** For everyone. */
export const publicProcedure = t.procedure.use(async ({ next }) => translated(await next()));

/**
 * For a principal with the permission: `ctx.principal` is set. The same for both handlers. Not
 * built on the other one: each middleware costs every call 5 µs.
 */
export const accountProcedure = t.procedure.use(async ({ ctx, path, type, meta, next }) => {
  const { principal, panel } = ctx;
  if (!principal) throw toTrpcError(panel ? new DomainError('not_signed_in') : new DomainError('api_key_missing'));
  if (principal.actor.kind === 'member') rejectUnlessRoleMay(principal.actor.role, path);
  if (!isPermitted(principal, meta)) throw toTrpcError(new DomainError('permission_denied'));
  rejectWhileSuspended(principal, type, meta);
  if (meta?.confirm && principal.actor.kind === 'member') {
    const act = meta.confirm === 'each' ? 'withdrawal' : 'setting';
    await panel?.confirmations.require(principal.actor, act).catch(reject);
  }
  return translated(await next({ ctx: { principal } }));
});

/**
 * Asks a member for a fresh second factor, which this call uses up: for an operation of which only
 * some inputs send money. A caller with an API key is not asked.
 */
export async function confirmMoneyOut({ principal, panel }: { principal: Principal; panel: Context['panel'] }) {
  if (principal.actor.kind !== 'member') return;
  await panel?.confirmations.require(principal.actor, 'withdrawal').catch(reject);
}

/** Where a call came from, over the panel or the API. */
export const originIn = ({ panel, origin }: Pick<Context, 'panel' | 'origin'>): Origin =>
  panel?.origin ?? origin ?? { ipAddress: null, userAgent: null };

/** Who acts, for which account and where from: what a service notes with what it does. */
export const actingIn = (ctx: Pick<Context, 'panel' | 'origin'> & { principal: Principal }): ActingPrincipal => ({
  ...ctx.principal,
  origin: originIn(ctx),
});

/**
 * Whether the caller has the permission that a procedure asks for, and the account, where it takes
 * the account's too.
 */
export const isPermitted = (
  { permissions, mayCreateAccounts }: Pick<Principal, 'permissions' | 'mayCreateAccounts'>,
  meta: ProcedureMeta | undefined,
): boolean =>
  !meta?.permission ||
  (permissions.includes(meta.permission) && (meta.permission !== 'accounts:write' || mayCreateAccounts));

/**
 * For a member who has signed in: `ctx.principal` is their account in the mode of the page,
 * `ctx.member` is the person.
 */
export const memberProcedure = t.procedure.use(async ({ ctx: { principal, panel }, path, type, meta, next }) => {
  const member = panel?.member;
  if (!panel || !member || !principal) throw toTrpcError(new DomainError('not_signed_in'));
  rejectUnlessRoleMay(member.role, path);
  rejectWhileSuspended(principal, type, meta);
  if (meta?.confirm) {
    await panel.confirmations.require(member, meta.confirm === 'each' ? 'withdrawal' : 'setting').catch(reject);
  }
  return translated(await next({ ctx: { principal, panel, member } }));
});

/** A procedure that a role may not call is answered as tRPC answers for an unknown one. */
function rejectUnlessRoleMay(role: Role, path: string): void {
  if (mayCall(role, path)) return;
  throw new TRPCError({ code: 'NOT_FOUND', message: `No procedure found on path "${path}"` });
}

/** A suspended account is read, and changes nothing. */
function rejectWhileSuspended(principal: Principal, type: string, meta: ProcedureMeta | undefined): void {
  if (type !== 'mutation' || meta?.whileSuspended || principal.suspendedAt === null) return;
  throw toTrpcError(new DomainError('account_suspended'));
}
