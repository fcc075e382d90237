import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestService } from './test-service.ts';

/** The messages that the service has sent to an address, oldest first. */
export const mailsTo = (service: Pick<TestService, 'home'>, to: string): string[] =>
  messagesOf(service).filter((text) => text.includes(`To: ${to}`));

/** All messages that the service has sent, oldest first. */
export function messagesOf(service: Pick<TestService, 'home'>): string[] {
  const folder = join(service.home, 'mail');
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    return names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    return [];
  }
}
