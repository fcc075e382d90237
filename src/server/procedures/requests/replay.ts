import type { ReplayNeeds } from '#services/requests/authorize-replay.ts';
import type { ProcedureMeta } from '../procedure.ts';

/**
 * What a replay of a procedure's answer needs of the account, by the permission that it asks for.
 */
export const replayNeeds = (meta: ProcedureMeta | undefined): ReplayNeeds => ({
  // A refund's merchant need not be approved, only not rejected.
  approvedKyc: meta?.permission === 'withdrawals:write',
  accountCreation: meta?.permission === 'accounts:write',
});

/**
 * A copy of an answer with null in the place of its secrets. `below`: where the output begins, with
 * its dot.
 */
export function withoutSecrets(answer: unknown, secrets: readonly string[] = [], below = ''): unknown {
  return secrets.reduce((copy, path) => withNullAt(copy, `${below}${path}`.split('.')), answer);
}

function withNullAt(value: unknown, [name = '', ...rest]: string[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const member = (value as Record<string, unknown>)[name];
  return { ...value, [name]: rest.length === 0 ? null : withNullAt(member, rest) };
}
