import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a query gave, or the error's code why it gave nothing; null: it was not there in time, or
 * something is wrong with the service. What is missing the page asks for again in the browser, and
 * says there what is wrong.
 */
export type PrefetchResult = { data: unknown; errorCode?: never } | { data?: never; errorCode: string | null };

/** What a page may read while it is rendered, with the rights of the member who requests it. */
export type PagePrefetch = {
  /** A query of the panel's by its name (`terms.get`). */
  read(query: string, input: unknown): Promise<PrefetchResult>;
  /** Where the service says that it is: scheme, host and port. */
  origin: string;
  /** The query string of the page's address. */
  search: URLSearchParams;
};

/**
 * The bundler copies modules that both the service and the pages import: what they share is known
 * by this name.
 */
const NAME = Symbol.for('trilho.page-prefetch');
const shared = globalThis as { [NAME]?: AsyncLocalStorage<PagePrefetch> };
shared[NAME] ??= new AsyncLocalStorage();

/** Set by the service around the making of a page. */
export const pagePrefetch: AsyncLocalStorage<PagePrefetch> = shared[NAME];
