import { panelRouter } from '../procedures/panel-router.ts';
import type { ProcedureMeta } from '../procedures/procedure.ts';

export type Mode = 'live' | 'test';

/**
 * The mode and the procedure of an address below TRPC_PREFIX; a call without a mode has no account.
 */
export function addressOf(path: string): { mode: Mode | null; path: string } {
  for (const mode of ['live', 'test'] as const) {
    if (path.startsWith(`${mode}/`)) return { mode, path: path.slice(mode.length + 1) };
  }
  return { mode: null, path };
}

/** The meta of a procedure; undefined for an unknown name. */
export const metaOf = (path: string): ProcedureMeta | undefined => definitionOf(path)?.meta;

/** Whether a call is a subscription: it stays open. `address` is the part after /api/trpc/. */
export const isStream = (address: string): boolean => definitionOf(addressOf(address).path)?.type === 'subscription';

/** Whether a procedure changes something. */
export const isChange = (path: string): boolean => definitionOf(path)?.type === 'mutation';

function definitionOf(path: string): { type: string; meta?: ProcedureMeta } | undefined {
  type Procedures = Record<string, { _def: { type: string; meta?: ProcedureMeta } }>;
  const procedures = panelRouter._def.procedures as unknown as Procedures;
  return Object.hasOwn(procedures, path) ? procedures[path]?._def : undefined;
}
