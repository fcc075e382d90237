import { prepare } from './prepare.mjs';

/** Brings the checkout to where `node src/main.ts` starts, and starts nothing. */
await prepare({ panel: true });
