/**
 * Names the account that a page was opened for. Where the browser has chosen another merchant
 * since, in another tab, the requests of the page must not act on that one.
 */
export const ACCOUNT_HEADER = 'x-trilho-account';

/** The same in the address of a file: a link sends no header. */
export const ACCOUNT_PARAMETER = 'account';
