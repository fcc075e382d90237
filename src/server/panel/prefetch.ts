import type { PagePrefetch, PrefetchResult } from '#contract/page-prefetch.ts';
import type { AccountGates } from '../http/account-gates.ts';
import { jsonText } from '../http/json.ts';
import type { Context } from '../procedures/context.ts';
import { panelRouter } from '../procedures/panel-router.ts';
import { createCallerFactory } from '../procedures/procedure.ts';

/**
 * A page's first data is read in milliseconds. The page itself requests what takes longer than
 * this.
 */
const READ_MS = 1_000;
const NOTHING: PrefetchResult = { errorCode: null };

type Query = (input: unknown) => Promise<unknown>;

/**
 * Reads for a page as its member: through the gate of the account's other reads, and under the same
 * rules. Without an account nothing is read.
 */
export function prefetchFor(context: Context, accounts: AccountGates): PagePrefetch['read'] {
  const accountId = context.principal?.accountId;
  if (accountId === undefined) return async () => NOTHING;
  return prefetchWith(context, (work) => accounts.run('read', accountId, null, work));
}

/** Reads for a public page, whose own request has its place already. */
export const publicPrefetchFor = (context: Context): PagePrefetch['read'] => prefetchWith(context, (work) => work());

type InPlace = (work: () => Promise<unknown>) => Promise<unknown>;

function prefetchWith(context: Context, inPlace: InPlace): PagePrefetch['read'] {
  const caller = createCallerFactory(panelRouter)(context);
  return async (path, input) => {
    const query = queryOf(caller, path);
    try {
      return await inTime(inPlace(async () => asSent(await query(input))));
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      return typeof code === 'string' ? { errorCode: code } : NOTHING;
    }
  };
}

/**
 * Returns a query by its name. Throws for what changes something, and for what does not exist: then
 * a page has been written wrong.
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
const asSent = (data: unknown): unknown => JSON.parse(jsonText(data));

/** Resolves to nothing when a read takes too long. */
function inTime(read: Promise<unknown>): Promise<PrefetchResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(NOTHING), READ_MS);
    read.finally(() => clearTimeout(timer)).then((data) => resolve({ data }), reject);
  });
}
