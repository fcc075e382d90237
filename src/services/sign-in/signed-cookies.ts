import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isEqualBytes } from '#domain/encryption/is-equal-bytes.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { betterAuthSecrets } from '../members/better-auth-secrets.ts';

/** A base64 HMAC-SHA256 behind the last dot, as better-auth signs its cookies. */
const SIGNED = /^(.+)\.([A-Za-z0-9+/]{43}=)$/;

/**
 * Cookies that better-auth signed. It knows the newest secret only. A cookie that was signed with
 * the secret of another present master key is valid as well, and is signed again with the newest
 * one for better-auth.
 */
export type SignedCookies = {
  /**
   * The signed value of a decoded cookie; null when there is none, or none of our secrets signed
   * it.
   */
  read(cookie: string | null): string | null;
  /** A decoded cookie as it is signed now; null when it is that already, or was never ours. */
  renew(cookie: string): string | null;
  /** A `Cookie` header with every signature made by the newest secret. */
  renewAll(header: string): string;
};

export function createSignedCookies(box: SecretBox): SignedCookies {
  const keys = betterAuthSecrets(box).map(({ value }) => createSecretKey(Buffer.from(value)));
  /** The signed value, and the index of the secret that signed it: 0 is the newest, -1 is none. */
  const find = (cookie: string) => {
    const [, value = '', signature = ''] = SIGNED.exec(cookie) ?? [];
    const given = Buffer.from(signature, 'base64');
    const at = value === '' ? -1 : keys.findIndex((key) => isEqualBytes(given, sign(key, value)));
    return { value, at };
  };

  const renew: SignedCookies['renew'] = (cookie) => {
    const { value, at } = find(cookie);
    const [newest] = keys;
    return at > 0 && newest ? `${value}.${sign(newest, value).toString('base64')}` : null;
  };
  return {
    read(cookie) {
      const { value, at } = find(cookie ?? '');
      return at >= 0 ? value : null;
    },
    renew,
    renewAll: (header) =>
      header
        .split(';')
        .map((pair) => {
          const mark = pair.indexOf('=') + 1;
          const renewed = mark > 0 ? renew(decoded(pair.slice(mark).trim())) : null;
          return renewed === null ? pair : pair.slice(0, mark) + encodeURIComponent(renewed);
        })
        .join(';'),
  };
}

const sign = (key: KeyObject, value: string) => createHmac('sha256', key).update(value).digest();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
