/** Where to sign in, and where to go on afterwards. */
const signInAddress = (next: string) => `/entrar?next=${encodeURIComponent(next)}`;

let isLeft = false;

/**
 * From here on this page is not come back to: what it still asks for is answered that there is no
 * session, and must not lead anywhere.
 */
export function leavePage(): void {
  isLeft = true;
}

/** Leaves for the sign-in page, and comes back here afterwards. */
export function goToSignIn(): void {
  if (isLeft) return;
  const { pathname, search } = window.location;
  window.location.assign(signInAddress(pathname + search));
}

/**
 * The page to go on with after signing in: a path of this origin, never an address that an attacker
 * put into the link (`//evil.example`, `/\evil.example`, `https:evil.example`).
 */
export function safeNext(next: string | null | undefined, otherwise: string): string {
  if (!next || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return otherwise;
  return next;
}
