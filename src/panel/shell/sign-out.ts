import { connection, isAway } from '#panel/connection/connection.ts';
import { dropAllKept } from '#panel/drafts/kept.ts';
import { leavePage } from './sign-in-address.ts';

/** Where the service is there and this still fails, the session is left to its end. */
const TRIES_MAX = 5;

/**
 * Ends this browser's session and leaves for the sign-in page; what was cached of it goes with the
 * page. A service that is away is waited for: the session would stay open behind a page that says
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
