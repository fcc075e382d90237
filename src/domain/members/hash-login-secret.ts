import { createHash } from 'node:crypto';

/**
 * A session's token, or the name of a link that was sent, as the database keeps it: a reader of the
 * database can't use it. Not keyed and not slow: both have more than 128 random bits.
 */
export const hashLoginSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
