import { createContext } from 'react';

/** The id of the nearest heading around a part: it names a table that has no name of its own. */
export const HeadingId = createContext<string | undefined>(undefined);
