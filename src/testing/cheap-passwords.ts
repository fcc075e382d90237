import { hashCheaply } from './password-cost.ts';

// Loaded before each file of the integration tests (vitest.config.ts): what a hash costs is no
// matter of theirs. The product has no such setting: what it pays is tested in
// password-hashing.test.ts, and the flows in a browser sign in at the full cost.
hashCheaply();
