import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The result of a query, or the code of its error; null: the result was not there in time, or the
 * service failed. The page then asks again in the browser, and shows the error there.
 */
export type PrefetchResult = { data: unknown; errorCode?: never } | { data?: never; errorCode: string | null };

/** What a page may read while it is rendered, with the rights of the member who requests it. */
export type PagePrefetch = {
  /** A query of the panel's by its name (`terms.get`). */
  read(query: string, input: unknown): Promise<PrefetchResult>;
  /**
   * Makes the answer a 404, of a page that says that there is nothing at its address. Next's own
   * notFound(), thrown from a page, sends an empty document that only JavaScript fills.
   */
  noteMissing(): void;
  /** The service's own address: scheme, host and port. */
  origin: string;
  /** The query string of the page's address. */
  search: URLSearchParams;
};

/**
 * The bundler duplicates modules that both the service and the pages import, so what they share is
 * kept on `globalThis` under this symbol.
 */
const NAME = Symbol.for('trilho.page-prefetch');
const shared = globalThis as { [NAME]?: AsyncLocalStorage<PagePrefetch> };
shared[NAME] ??= new AsyncLocalStorage();

/** Set by the service while it renders a page. */
export const pagePrefetch: AsyncLocalStorage<PagePrefetch> = shared[NAME];
