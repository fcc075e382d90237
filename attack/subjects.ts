import { authorisation } from './authorisation/authorisation.ts';
import type { Subject } from './subject.ts';

/** In the order in which they run. */
export const SUBJECTS: readonly Subject[] = [authorisation];
