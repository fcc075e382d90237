import { AsyncLocalStorage } from 'node:async_hooks';

/** What a page may look at while it is made, as who asks for it. */
export type PageReads = {
  /**
   * A query of the panel's by its name (`terms.get`). Null: it was refused or is not there in time;
   * the page asks for it again in the browser, and says there what is wrong.
   */
  read(query: string, input: unknown): Promise<unknown>;
  /** Where the service says that it is: scheme, host and port. */
  origin: string;
  /** What stands behind the `?` of the page's address. */
  search: URLSearchParams;
};

/**
 * The bundler copies modules that both the service and the pages import: what they share is known
 * by this name.
 */
const NAME = Symbol.for('trilho.page-reads');
const shared = globalThis as { [NAME]?: AsyncLocalStorage<PageReads> };
shared[NAME] ??= new AsyncLocalStorage();

/** Set by the service around the making of a page. */
export const pageReads: AsyncLocalStorage<PageReads> = shared[NAME];
