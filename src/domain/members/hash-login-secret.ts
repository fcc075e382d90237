import { createHash } from 'node:crypto';

/**
 * Returns a session's token, or the identifier of a link that was sent, as the database keeps it: a
 * reader of the database can't use it. Not keyed and not slow, because both have more than 128
 * random bits.
 */
export const hashLoginSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
