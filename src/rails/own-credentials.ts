import { z } from 'zod';
import { PLISIO_BASE_URL } from '#domain/providers/plisio-base-url.ts';
import { type Provider, PSPS, type Psp } from '#domain/providers/providers.ts';
import { findPspProfile, PSP_PROFILES } from './pix/profiles/psp-profiles.ts';

/**
 * An account's own provider credentials as they are stored, sealed: as the operator gives them in a
 * JSON file, or as a member's form and a profile make them. Those of the sandbox have no address,
 * because they follow the sandbox to wherever it runs.
 */

const https = z.url({ protocol: /^https$/ }).transform((text) => text.replace(/\/+$/, ''));
const filled = z.string().min(1);
const client = { clientId: filled, clientSecret: filled, pixKey: filled.max(77) };

const tls = z.union([
  z
    .strictObject({ cert: filled, key: filled, ca: filled.optional() })
    .transform(({ ca, ...rest }) => (ca ? { ...rest, ca } : rest)),
  /** A PKCS #12 file in base64, with its passphrase. */
  z
    .strictObject({ pfx: filled, passphrase: z.string().optional() })
    .transform(({ passphrase, ...rest }) => (passphrase ? { ...rest, passphrase } : rest)),
]);

const apiPixCredentials = z.strictObject({
  baseUrl: https,
  ...client,
  tls,
  /** Efí's API for sending PIX; without it these credentials only receive. */
  payoutUrl: https.optional(),
});
const plisioCredentials = z.strictObject({ apiKey: filled, baseUrl: https.default(PLISIO_BASE_URL) });

const isSandbox = { sandbox: z.literal(true) };
const storedPix = z.union([apiPixCredentials, z.strictObject({ ...isSandbox, ...client })]);
const storedPlisio = z.union([plisioCredentials, z.strictObject({ ...isSandbox, apiKey: filled })]);

export type ApiPixCredentials = z.output<typeof storedPix>;
export type PlisioCredentials = z.output<typeof storedPlisio>;
export type OwnCredentials =
  | { kind: 'api_pix'; value: ApiPixCredentials }
  | { kind: 'plisio'; value: PlisioCredentials };

/** Reads stored credentials. Throws where they can't be read, without quoting them. */
export function readOwnCredentials(kind: string, stored: unknown): OwnCredentials {
  const parsed =
    kind === 'plisio'
      ? { kind: 'plisio' as const, ...storedPlisio.safeParse(stored) }
      : { kind: 'api_pix' as const, ...storedPix.safeParse(stored) };
  if (!parsed.success) throw new Error(`Stored credentials of kind ${kind} can’t be read.`);
  return { kind: parsed.kind, value: parsed.data } as OwnCredentials;
}

/**
 * Reads the credentials that an operator gives, or returns the names of the fields that are missing
 * or wrong.
 */
export function parseGivenCredentials(
  kind: OwnCredentials['kind'],
  given: unknown,
): { ok: true; value: object } | { ok: false; fields: string[] } {
  const parsed = (kind === 'plisio' ? plisioCredentials : apiPixCredentials).safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, fields: parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole') };
}

/** The fields of a member's form for a PSP that has a profile. */
export type PixForm = {
  clientId: string;
  clientSecret: string;
  pixKey: string;
  tls: z.output<typeof tls>;
  /** The application's key, which some PSPs want in each call; `null`: none. */
  appKey: string | null;
  /** The account, where the PSP's client has several; `null`: it has one. */
  accountNumber: string | null;
};

/**
 * Returns the credentials that a profile and a member's form make: the addresses are the profile's,
 * and never come from input. Throws for a profile without an address.
 */
export function fillProfile(psp: Psp, { appKey, accountNumber, ...form }: PixForm): ApiPixCredentials {
  const profile = PSP_PROFILES[psp];
  if (!profile.baseUrl) throw new Error(`The profile ${psp} has no address.`);
  const base = profile.baseUrl.value;
  const parameters = new URLSearchParams({
    ...(appKey !== null && { [APP_KEY_PARAMETER]: appKey }),
    ...(accountNumber !== null && { [ACCOUNT_PARAMETER]: accountNumber }),
  });
  const baseUrl = parameters.size === 0 ? base : `${base}?${parameters}`;
  // The only way of sending PIX that is implemented.
  const payoutUrl = psp === 'efi' ? { payoutUrl: new URL(base).origin } : {};
  return { baseUrl, ...form, ...payoutUrl };
}

/** Banco do Brasil's name for the application's key. */
const APP_KEY_PARAMETER = 'gw-dev-app-key';
/** Inter's name for the account. */
const ACCOUNT_PARAMETER = 'x-conta-corrente';

/** Returns the provider of credentials, by their address. */
export function providerOf({ kind, value }: OwnCredentials): Provider {
  if ('sandbox' in value) return 'sandbox';
  if (kind === 'plisio') return 'plisio';
  const profile = findPspProfile(value.baseUrl);
  return PSPS.find((psp) => PSP_PROFILES[psp] === profile) ?? 'other';
}

/**
 * Returns whether two credentials lead to the same account at the provider, so that one rail has
 * both. A PIX key is in one account of one PSP. All keys of the crypto processor share one rail:
 * what a key does not know is asked of an earlier one.
 */
export function isSameRail(one: OwnCredentials, other: OwnCredentials): boolean {
  if (one.kind === 'plisio' || other.kind === 'plisio') return one.kind === other.kind;
  return hostOf(one.value) === hostOf(other.value) && one.value.pixKey === other.value.pixKey;
}

/**
 * Returns whether two credentials open the same account at the provider: two accounts here would
 * count its money twice.
 */
export function isSameContract(one: OwnCredentials, other: OwnCredentials): boolean {
  if (one.kind === 'plisio' && other.kind === 'plisio') return one.value.apiKey === other.value.apiKey;
  return one.kind === other.kind && isSameRail(one, other);
}

const hostOf = (value: ApiPixCredentials): string => ('sandbox' in value ? '' : new URL(value.baseUrl).host);
