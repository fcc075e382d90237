import { userInfo } from 'node:os';

/**
 * Returns who runs the command, as the operating system knows them, for the audit. A container's
 * user may have only a number.
 */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
