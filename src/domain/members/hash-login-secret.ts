import { createHash } from 'node:crypto';

/**
 * A session's token, or the name of a link that was sent, as the database keeps it: whoever reads
 * it there can do nothing with it. Not keyed and not slow: both have more than 128 random bits.
 */
export const hashLoginSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
