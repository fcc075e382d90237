import { timingSafeEqual } from 'node:crypto';

/**
 * Returns whether two secrets or signatures are equal, in a time that does not depend on where they
 * differ.
 */
export const isEqualBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** The same of two texts. */
export const isEqualText = (a: string, b: string): boolean => isEqualBytes(Buffer.from(a), Buffer.from(b));
