import type { PageReads } from '#contract/page-reads.ts';
import type { AccountGates } from '../account-gates.ts';
import type { Context } from '../context.ts';
import { panelRouter } from '../procedures/panel-router.ts';
import { createCallerFactory } from '../procedures/procedure.ts';

/**
 * What a page shows first is read in milliseconds. What takes longer than this is asked for by a
 * page that is there already.
 */
const READ_MS = 1_000;

type Query = (input: unknown) => Promise<unknown>;

/**
 * What a page reads as who asks for it: in the place of the account's other reads, and under the
 * same rules.
 */
export function readsFor(context: Context, accounts: AccountGates): PageReads['read'] {
  const accountId = context.principal?.accountId;
  const caller = createCallerFactory(panelRouter)(context);
  return async (path, input) => {
    if (accountId === undefined) return null;
    const query = queryOf(caller, path);
    try {
      return await inTime(accounts.run('read', accountId, null, async () => asSent(await query(input))));
    } catch {
      return null;
    }
  };
}

/**
 * A query by its name. Throws for what changes something, and for what does not exist: a page has
 * been written wrong.
 */
function queryOf(caller: object, path: string): Query {
  const procedures = panelRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const [group = '', name = ''] = path.split('.');
  const query = (caller as Record<string, Record<string, Query>>)[group]?.[name];
  if (!query || !Object.hasOwn(procedures, path) || procedures[path]?._def.type !== 'query') {
    throw new Error(`There is no query "${path}".`);
  }
  return query;
}

/** As it would have arrived over the network. */
const asSent = (data: unknown): unknown => JSON.parse(JSON.stringify(data));

/** Null for what takes too long; it is waited for no longer. */
function inTime(read: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), READ_MS);
    read.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
