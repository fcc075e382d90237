import { hashCheaply } from './password-cost.ts';

// Loaded before each file of the integration tests (vitest.config.ts), which do not test the cost
// of a hash. The product has no such setting: its own cost is tested in password-hashing.test.ts,
// and the browser flows sign in at the full cost.
hashCheaply();
