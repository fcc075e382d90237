import { timingSafeEqual } from 'node:crypto';

/**
 * Whether two secrets, or signatures, are the same; how long it takes says nothing of where they
 * differ.
 */
export const isEqualBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
