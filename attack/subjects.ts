import { authorisation } from './authorisation/authorisation.ts';
import { moneyRaces } from './money/money-races.ts';
import { rawHttp } from './raw-http/raw-http.ts';
import { signIn } from './sign-in/sign-in.ts';
import { ssrf } from './ssrf/ssrf.ts';
import type { Subject } from './subject.ts';

/** In the order in which they run. */
export const SUBJECTS: readonly Subject[] = [authorisation, rawHttp, moneyRaces, signIn, ssrf];
