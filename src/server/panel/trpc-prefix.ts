/** Where the procedures of the pages are. */
export const TRPC_PREFIX = '/api/trpc/';
