import type { inferRouterInputs } from '@trpc/server';
import { pagePrefetch } from '#contract/page-prefetch.ts';
import type { PanelRouter } from '#server/procedures/panel-router.ts';
import type { PrefetchedQuery } from './hydrate-queries.tsx';

type Inputs = inferRouterInputs<PanelRouter>;
type Group = keyof Inputs & string;
/** A query of the panel's router, with its input. */
export type QueryToPrefetch = {
  [G in Group]: {
    [P in keyof Inputs[G] & string]: {
      query: `${G}.${P}`;
      /** As in the browser: a query that differs is requested again there. */
      input?: Inputs[G][P];
      /** A paged list, of which the first page is read. */
      list?: true;
    };
  }[keyof Inputs[G] & string];
}[Group];

/** Reads queries while the page is made; leaves out those that are not there in time. */
export async function prefetchQueries(reads: readonly QueryToPrefetch[]): Promise<PrefetchedQuery[]> {
  const page = pagePrefetch.getStore();
  if (!page) return [];
  const all = reads.map(async ({ query, input, list }): Promise<PrefetchedQuery | null> => {
    const { data } = await page.read(query, input);
    if (data === undefined) return null;
    return { query, input, data: list ? { pages: [data], pageParams: [null] } : data, list };
  });
  return (await Promise.all(all)).filter((read) => read !== null);
}

/** The service's origin by its configuration; empty for a page that another page requests. */
export const serviceOrigin = (): string => pagePrefetch.getStore()?.origin ?? '';

/** The query string of the page's address; empty for a navigation from another page. */
export const addressedSearch = (): URLSearchParams => pagePrefetch.getStore()?.search ?? new URLSearchParams();
