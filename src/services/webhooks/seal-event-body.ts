import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

/** What building an event needs: its body has texts that are sealed in its transaction. */
export type EventDeps = Pick<Deps, 'secretBox'>;

const contextOf = (eventId: string) => sealContext('events.body', { id: eventId });

/** The exact bytes of an event as they are kept. */
export const sealEventBody = ({ secretBox }: EventDeps, eventId: string, body: string): string =>
  secretBox.seal(body, contextOf(eventId));

/** The exact bytes of an event, which every delivery of it sends. */
export const openEventBody = ({ secretBox }: EventDeps, eventId: string, sealed: string): string =>
  secretBox.open(sealed, contextOf(eventId));
