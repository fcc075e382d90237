import { authorisation } from './authorisation/authorisation.ts';
import { moneyRaces } from './money/money-races.ts';
import { rawHttp } from './raw-http/raw-http.ts';
import type { Subject } from './subject.ts';

/** In the order in which they run. */
export const SUBJECTS: readonly Subject[] = [authorisation, rawHttp, moneyRaces];
