/**
 * The account that a page was opened for: a browser that has chosen another merchant since, in
 * another tab, must not do there what is asked here.
 */
export const ACCOUNT_HEADER = 'x-trilho-account';
