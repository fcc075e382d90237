let isLeft = false;

/**
 * Marks this page as left: calls that it still sends are answered that there is no session, and
 * must not lead to the sign-in.
 */
export function leavePage(): void {
  isLeft = true;
}

/** Leaves for the sign-in page of the panel or the console, which leads back here. */
export function goToSignIn(page: '/entrar' | '/operator/entrar' = '/entrar'): void {
  if (isLeft) return;
  const { pathname, search } = window.location;
  window.location.assign(`${page}?next=${encodeURIComponent(pathname + search)}`);
}

/**
 * Returns the page to go on with after signing in: a path of this origin, else `otherwise`; never
 * an address that an attacker put into the link (`//evil.example`, `/\evil.example`,
 * `https:evil.example`).
 */
export function safeNext(next: string | null | undefined, otherwise: string): string {
  if (!next || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return otherwise;
  return next;
}
