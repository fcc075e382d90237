/**
 * Replaces a PIX key that was erased; pages show a key that is masked completely in the same way.
 */
export const ERASED_KEY = '***';
