import { randomBytes } from 'node:crypto';
import { isEqualBytes } from '#domain/encryption/is-equal-bytes.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/**
 * A year: a member who returns less often gets in by e-mail if an attacker is guessing just then.
 */
export const DEVICE_COOKIE_SECONDS = 365 * 86_400;
const ID_BYTES = 16;
const PURPOSE = 'device-cookie';

/**
 * Cookies that show that a browser has signed in to a login before. They sign nobody in; they only
 * decide where wrong guesses count.
 */
export type DeviceCookies = {
  issue(login: string): string;
  /** The device's id; null when the cookie is not one of ours for this login. */
  read(cookie: string | null, login: string): string | null;
};

export function createDeviceCookies(secretBox: SecretBox): DeviceCookies {
  const signed = (id: string, login: string) => `${id} ${normalise(login)}`;
  return {
    issue(login) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      return `${id}.${secretBox.fingerprint(signed(id, login), PURPOSE).toString('base64url')}`;
    },
    read(cookie, login) {
      const [id = '', signature = ''] = (cookie ?? '').split('.');
      const given = Buffer.from(signature, 'base64url');
      const isOurs = secretBox.fingerprints(signed(id, login), PURPOSE).some((right) => isEqualBytes(given, right));
      return id && isOurs ? id : null;
    },
  };
}

const normalise = (login: string) => login.trim().toLowerCase();
