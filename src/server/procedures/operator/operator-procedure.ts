import { initTRPC } from '@trpc/server';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Origin } from '#services/api-keys/principal.ts';
import type { AsOperator } from '#services/audit/record-audit.ts';
import type { Deps } from '#services/deps.ts';
import { demandFreshCode, type SignedInOperator } from '#services/operators/operator-session.ts';
import { messageOf, reasonOf, toTrpcError, translated } from '../trpc-errors.ts';

/** What a procedure of the console knows of its caller. */
export type OperatorContext = {
  deps: Deps;
  /** Null without a session: nothing runs then. */
  operator: SignedInOperator | null;
  origin: Origin;
  /** Notes that a code was typed. Errors: confirmation_failed, too_many_attempts. */
  confirm(operator: SignedInOperator, code: string): Promise<void>;
  endSession(operator: SignedInOperator): Promise<void>;
};

/** `unconfirmed`: a change that asks for no fresh code, because it moves nothing. */
type OperatorMeta = { unconfirmed?: true };

const t = initTRPC
  .context<OperatorContext>()
  .meta<OperatorMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: messageOf(error),
      data: { ...shape.data, ...reasonOf(error) },
    }),
  });

export const operatorRouterOf = t.router;

/**
 * For an operator who has signed in; what changes something asks for a code of the last minutes.
 * `ctx.acting` is what services of the operator take: it names them to the audit.
 */
export const operatorProcedure = t.procedure.use(async ({ ctx, type, meta, next }) => {
  const { operator, deps, origin } = ctx;
  if (!operator) throw toTrpcError(new DomainError('not_signed_in'));
  if (type === 'mutation' && !meta?.unconfirmed) {
    try {
      demandFreshCode(operator, deps.clock());
    } catch (error) {
      throw error instanceof DomainError ? toTrpcError(error) : error;
    }
  }
  const acting: Deps & Required<AsOperator> = { ...deps, operator: operator.email, origin };
  return translated(await next({ ctx: { operator, acting } }));
});
