import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isAnswerKept } from '#domain/errors/is-answer-kept.ts';
import { canonicalJson } from '#domain/values/canonical-json.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { inTimeOf } from '#services/accounts/on-test-clock.ts';
import type { KeyOwner } from '#services/api-keys/authenticator.ts';
import type { Deps } from '#services/deps.ts';
import { authorizeReplay } from '#services/requests/authorize-replay.ts';
import type { Idempotency } from '#services/requests/run-idempotently.ts';
import type { AccountGates } from '../http/account-gates.ts';
import { jsonText } from '../http/json.ts';
import type { LaneDeps } from '../http/lane-deps.ts';
import { originOf } from '../http/origin-of.ts';
import type { Context } from '../procedures/context.ts';
import { isPermitted, type ProcedureMeta } from '../procedures/procedure.ts';
import { replayNeeds, withoutSecrets } from '../procedures/requests/replay.ts';
import type { RestError } from './errors.ts';

type Call = (input: unknown) => Promise<object>;

/** The procedures by namespace and name, for one caller. */
export type CallerFactory = (context: Context) => unknown;

/** What has to be known of a procedure to run it for a key. */
export type Operation = {
  /** GET reads; everything else writes. */
  method: string;
  /** Its name in the fingerprint of an Idempotency-Key. */
  template: string;
  /** Where it is in the router: ['charges', 'create']. */
  procedure: readonly [string, string];
  /** The status of success. */
  status: number;
  meta: ProcedureMeta;
};

export type OperationCall = {
  req: IncomingMessage;
  res: ServerResponse;
  operation: Operation;
  principal: KeyOwner;
  input: Record<string, unknown>;
  /** As it is kept; null: the request is run each time that it is sent. */
  idempotencyKey: string | null;
  /** The body of a success. */
  present: (output: object) => object;
  /** Returns what is answered for what was thrown; called once for an answer that is an error. */
  fail: (thrown: unknown) => RestError;
};

/** `body` is JSON text where it was kept for an Idempotency-Key. */
export type OperationAnswer = { status: number; body: object | string; replayed: boolean };

export type OperationRunner = (call: OperationCall) => Promise<OperationAnswer>;

/**
 * Runs a procedure for a key: through the gate of its account, at the pace of the workers, and once
 * for its Idempotency-Key. Throws what the procedure throws, unless it has such a key.
 */
export function createOperationRunner(parts: {
  deps: LaneDeps;
  createCaller: CallerFactory;
  accounts: AccountGates;
  /** Waits while the workers have more to do than they can, for the account's share of that. */
  pace: (accountId: string) => Promise<void>;
  idempotency: Idempotency;
  /** Where a request came from, for the audit. */
  clientIp: (req: IncomingMessage) => string | null;
}): OperationRunner {
  const { deps, createCaller, accounts, pace, idempotency, clientIp } = parts;

  const call = async (own: Deps, request: OperationCall, subjectId: string, resumed?: boolean): Promise<object> => {
    const { req, operation, principal, input } = request;
    const [namespace, procedure] = operation.procedure;
    const origin = originOf(req, clientIp(req));
    const caller = createCaller({ deps: own, principal, subjectId, resumed, origin, panel: null }) as Record<
      string,
      Record<string, Call>
    >;
    const found = caller[namespace]?.[procedure];
    if (!found) throw new Error(`There is no procedure ${namespace}.${procedure}.`);
    return found(input);
  };

  const runOnce = async (own: Deps, request: OperationCall, key: string): Promise<OperationAnswer> => {
    const { operation, principal, input, present, fail } = request;
    const { accountId } = principal;
    // Before the key is looked up: an earlier response is replayed only to a caller that may send
    // the request now.
    if (!isPermitted(principal, operation.meta)) throw new DomainError('permission_denied');
    const mayReplay = () => authorizeReplay(deps.writes, accountId, replayNeeds(operation.meta));
    const fingerprint = `${operation.method} ${operation.template} ${canonicalJson(input)}`;
    const once = { accountId, key, request: fingerprint, mayReplay, createdAt: own.clock() };
    return idempotency.run(once, async (subjectId, resumed) => {
      try {
        const output = present(await call(own, request, subjectId, resumed));
        const kept = jsonText(withoutSecrets(output, operation.meta.secrets));
        return { status: operation.status, body: jsonText(output), kept, key: 'keep' };
      } catch (thrown) {
        const { status, body, code } = fail(thrown);
        const outcome = isAnswerKept(code) ? 'keep' : status >= 500 ? 'release' : 'delete';
        return { status, body: jsonText(body), key: outcome };
      }
    });
  };

  return (request) => {
    const { res, operation, principal, idempotencyKey, present } = request;
    const isRead = operation.method === 'GET';
    return accounts.run(isRead ? 'read' : 'write', principal.accountId, res, async () => {
      if (!isRead) await pace(principal.accountId);
      const own = await inTimeOf(isRead ? deps.reads : deps.writes, principal);
      if (idempotencyKey !== null) return runOnce(own, request, idempotencyKey);
      const output = await call(own, request, isRead ? '' : uuidv7(own.clock()));
      return { status: operation.status, body: present(output), replayed: false };
    });
  };
}
