import { pagePrefetch } from '#contract/page-prefetch.ts';

/** Makes the answer a 404: there is nothing at the address of the page that is being made. */
export const noteMissing = (): void => pagePrefetch.getStore()?.noteMissing();
