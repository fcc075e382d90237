import { userInfo } from 'node:os';

/**
 * Who types a command, as the operating system knows them: for the audit. A container's user may
 * have a number only.
 */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
