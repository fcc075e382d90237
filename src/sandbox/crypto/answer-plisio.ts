/**
 * The crypto processor: it implements Plisio's protocol (plisio.net/documentation and its SDKs),
 * where every call is a GET with the shop's key in its query, so that no URL may ever be logged.
 */
import type { SandboxOptions } from '../sandbox-options.ts';
import type { Reply } from '../sandbox-request.ts';
import { getBalance } from './get-balance.ts';
import { getCurrencies } from './get-currencies.ts';
import { createInvoice, getInvoice } from './invoices.ts';
import { getOperation, listOperations } from './operations.ts';
import { withdraw } from './payouts.ts';
import { notFound, PlisioError } from './plisio-error.ts';
import { requireShop, type Shop } from './shops.ts';

/** The path of its API below the sandbox. */
const MOUNT = '/plisio/api/v1';

/**
 * Answers a path below the processor's mount; null for every other path. An error of the processor
 * is an answer too, in Plisio's shape.
 */
export async function answerPlisio(options: SandboxOptions, method: string, path: string): Promise<Reply | null> {
  const [pathname = '', queryText = ''] = path.split('?', 2);
  if (!pathname.startsWith(`${MOUNT}/`)) return null;
  try {
    if (method !== 'GET') throw new PlisioError(405, 'Method Not Allowed', 'Only GET is allowed');
    const query = new URLSearchParams(queryText);
    const shop = requireShop(options, query.get('api_key'));
    return await answer(options, shop, pathname.slice(MOUNT.length), query);
  } catch (error) {
    if (error instanceof PlisioError) return error.reply;
    throw error;
  }
}

async function answer(options: SandboxOptions, shop: Shop, path: string, query: URLSearchParams): Promise<Reply> {
  if (path === '/invoices/new') return createInvoice(options, shop, query);
  if (path === '/operations/withdraw') return withdraw(options, shop, query);
  if (path === '/operations') return listOperations(options, shop, query);
  const [, resource, id = ''] = /^\/(invoices|operations|currencies|balances)\/(\w+)$/.exec(path) ?? [];
  switch (resource) {
    case 'invoices':
      return getInvoice(options, shop, id);
    case 'operations':
      return getOperation(options, shop, id);
    case 'balances':
      return getBalance(options, shop, id);
    case 'currencies':
      return getCurrencies(id);
    default:
      throw notFound('Page not found');
  }
}
