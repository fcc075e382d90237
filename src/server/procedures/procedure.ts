import { initTRPC, TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { OpenApiMeta } from 'trpc-openapi';
import { DomainError, ERROR_CATALOGUE, type ErrorCode } from '#domain/errors.ts';
import type { Context } from '../context.ts';

/** `input` is what was sent. */
export type InputError = (fields: ReadonlySet<string>, input: Record<string, unknown>) => ErrorCode;

/** What a procedure says of itself as a REST operation. */
export type RestMeta = OpenApiMeta & {
  rest?: {
    /** The errors it can give besides those of every operation. */
    errors: readonly ErrorCode[];
    /** Which error an input with these faulty fields is; `invalid_input` where it does not say. */
    inputError?: InputError;
    /** The status of success; 200 where it does not say. */
    status?: 201;
    /** The contract gives the crypto endpoints error bodies of their own; `failure` is the message of their 500. */
    crypto?: { failure: string };
  };
};

const t = initTRPC
  .context<Context>()
  .meta<RestMeta>()
  .create({
    isDev: false,
    // Unknown causes stay inside: their text may hold SQL, addresses, or what a customer typed.
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: error.code === 'INTERNAL_SERVER_ERROR' ? ERROR_CATALOGUE.internal.message : shape.message,
    }),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** For everyone. */
export const publicProcedure = t.procedure.use(async ({ next }) => translated(await next()));

/** For whoever has an account: `ctx.principal` is there. Not built on the other one: each middleware costs every call 5 µs. */
export const accountProcedure = t.procedure.use(async ({ ctx: { principal }, next }) => {
  if (!principal) throw toTrpcError(new DomainError('api_key_missing'));
  return translated(await next({ ctx: { principal } }));
});

/** A procedure's result, with a DomainError under the status that its code has. */
function translated<R extends { ok: true } | { ok: false; error: TRPCError }>(result: R): R {
  if (!result.ok && result.error.cause instanceof DomainError) throw toTrpcError(result.error.cause);
  return result;
}

const CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
} as const satisfies Record<number, keyof typeof TRPC_ERROR_CODES_BY_KEY>;

function toTrpcError(error: DomainError): TRPCError {
  const { status, message } = ERROR_CATALOGUE[error.code];
  const code = (CODES as Record<number, (typeof CODES)[keyof typeof CODES]>)[status] ?? 'INTERNAL_SERVER_ERROR';
  return new TRPCError({ code, message, cause: error });
}
