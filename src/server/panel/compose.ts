import type { IncomingMessage } from 'node:http';
import type { Database } from '#db/database.ts';
import type { Deps } from '#services/deps.ts';
import type { Idempotency } from '#services/run-idempotently.ts';
import { type AuthDoor, createAuthDoor } from '../auth/auth-door.ts';
import { createConfirmMember } from '../auth/confirm-member.ts';
import { cookieName } from '../auth/cookies.ts';
import { createAuth } from '../auth/create-auth.ts';
import { createGuessLimits } from '../auth/guess-limits.ts';
import { createKnownSessions, type KnownSessions } from '../auth/known-sessions.ts';
import { createFileDoor, type FileDoor } from './file-door.ts';
import { createPanelDoor, type PanelDoor } from './panel-door.ts';

/** The panel's ways in: for signing in, for what a member does, and for files. */
export function composePanel(parts: {
  deps: Deps;
  idempotency: Idempotency;
  clientAddress: (req: IncomingMessage) => string;
  /** Where guesses are counted: in memory by a process that is alone. */
  store: { kind: 'memory' } | { kind: 'postgres'; pool: Database['pool'] };
}): { auth: AuthDoor; panel: PanelDoor; files: FileDoor; knownSessions: KnownSessions } {
  const { deps, idempotency, clientAddress, store } = parts;
  const auth = createAuth(deps);
  const fingerprint = (text: string) => deps.secretBox.fingerprint(text, 'guess-limit').toString('base64url');
  const limits = createGuessLimits(store, fingerprint);
  const confirm = createConfirmMember(deps, auth, limits);
  const door = createAuthDoor({ deps, auth, limits, confirm, clientAddress });
  const knownSessions = createKnownSessions(cookieName('session_token', deps.settings.publicUrl));
  const authDoor: AuthDoor = {
    ...door,
    async memberOf(req) {
      const member = await door.memberOf(req);
      knownSessions.note(req, member !== null);
      return member;
    },
  };
  const panel = createPanelDoor({ deps, auth, authDoor, confirm, limits, idempotency });
  return { auth: authDoor, panel, files: createFileDoor(deps, { auth: authDoor, panel }), knownSessions };
}
