import { assistants } from './assistants/assistants.ts';
import { authorisation } from './authorisation/authorisation.ts';
import { callbacks } from './callbacks/callbacks.ts';
import { denialOfService } from './denial/denial-of-service.ts';
import { moneyRaces } from './money/money-races.ts';
import { rawHttp } from './raw-http/raw-http.ts';
import { secrets } from './secrets/secrets.ts';
import { signIn } from './sign-in/sign-in.ts';
import { ssrf } from './ssrf/ssrf.ts';
import type { Subject } from './subject.ts';
import { timing } from './timing/timing.ts';
import { xss } from './xss/xss.ts';

/**
 * In the order in which they run. `npm test` runs each half in a test file of its own: two workers
 * share them, and neither waits long for the other.
 */
export const HALVES: readonly (readonly Subject[])[] = [
  [authorisation, rawHttp, moneyRaces, ssrf],
  [signIn, callbacks, secrets, assistants, denialOfService],
];

/** The browser flows have the short form of XSS; timing has none. */
export const SUBJECTS: readonly Subject[] = [...HALVES.flat(), xss, timing];
