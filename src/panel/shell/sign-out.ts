import { dropAllKept } from '#panel/drafts/kept.ts';

/** Ends this browser's session and leaves for the sign-in page; what was cached of it goes with the page. */
export async function signOut(): Promise<void> {
  await fetch('/api/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => {});
  dropAllKept();
  window.location.assign('/entrar');
}
