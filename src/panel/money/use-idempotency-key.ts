'use client';

import { useState } from 'react';

/**
 * The name of one intention: however often it is sent, by a double click or because the answer got lost, it is carried out once. `renew`
 * for the next one, also after a refusal: nothing was done then, and what is sent next may be something else.
 */
export function useIdempotencyKey(): { key: string; renew(): void } {
  const [key, setKey] = useState(newKey);
  return { key, renew: () => setKey(newKey()) };
}

/** Not `randomUUID`: a page that is served by plain http does not have it. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
