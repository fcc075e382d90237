import { prepare } from './prepare.mjs';

/** Prepares the checkout so that `node src/main.ts` can start, and starts nothing. */
await prepare({ panel: true });
