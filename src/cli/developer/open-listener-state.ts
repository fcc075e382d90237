import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#config/make-folder.ts';
import { replaceFile } from '#config/replace-file.ts';
import { generateWebhookSecret } from '#domain/webhooks/webhook-signature.ts';
import type { Position } from './follow-events.ts';

/** What a listener keeps between two runs: the secret that it signs with, and its position. */
type ListenerState = { secret: string; position: Position | null };

/**
 * The state of the listener of one account at one address, in the data folder; a new one where
 * there is none. The key itself is not kept.
 */
export function openListenerState(home: string, { base, apiKey }: { base: string; apiKey: string }) {
  const folder = join(home, 'listeners');
  const path = join(folder, `${createHash('sha256').update(`${base} ${apiKey}`).digest('hex').slice(0, 16)}.json`);
  const state = readState(path) ?? { secret: generateWebhookSecret(), position: null };
  const save = (position: Position | null) => {
    makeFolder(folder);
    // As a whole: a listener may be ended at any instant, and two may follow one account.
    replaceFile(path, JSON.stringify({ ...state, position }));
  };
  save(state.position);
  return { ...state, save };
}

function readState(path: string): ListenerState | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ListenerState;
  } catch {
    return null;
  }
}
