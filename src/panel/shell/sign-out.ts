import { connection, isAway } from '#panel/connection/connection.ts';
import { dropAllKept } from '#panel/drafts/kept.ts';
import { leavePage } from './sign-in-address.ts';

/** After so many failures of a service that is there, the session is left to expire. */
const TRIES_MAX = 5;

/**
 * Ends this browser's session and leaves for the sign-in page; what was cached goes with the page.
 * It waits for a service that is away, because the session would stay open behind a page that says
 * otherwise.
 */
export async function signOut(): Promise<void> {
  dropAllKept();
  leavePage();
  for (let tries = 1; !(await endSession()) && tries < TRIES_MAX; tries++) await connection.check();
  window.location.assign('/entrar');
}

async function endSession(): Promise<boolean> {
  try {
    const answer = await fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return !isAway(answer.status);
  } catch {
    return false;
  }
}
