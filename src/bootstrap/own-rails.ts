import { SANDBOX_PATHS } from '#config/sandbox-account.ts';
import { type CredentialVersion, findCredentialVersions } from '#db/accounts/own-credentials.ts';
import type { Database } from '#db/connection/database.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import type { CheckAnswer, CheckFinding } from '#domain/providers/providers.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { createPlisioRail, type PlisioRailOptions } from '#rails/crypto/plisio-rail.ts';
import { type OwnCredentials, readOwnCredentials } from '#rails/own-credentials.ts';
import { type ApiPixRailOptions, createApiPixRail } from '#rails/pix/api-pix-rail.ts';
import { askPsp, NEEDED_ROUTES } from '#rails/pix/ask-psp.ts';
import type { CryptoRail, PixRail } from '#rails/ports.ts';
import { cryptoOverVersions, pixOverVersions, type RailVersion } from '#rails/rail-over-versions.ts';
import type { OwnRail } from '#rails/registry.ts';

type Parts = {
  db: Database;
  secretBox: SecretBox;
  /** The URL of the sandbox where it issues credentials; null where it issues none. */
  sandboxUrl: string | null;
  /** A demo opens no credentials but the sandbox's. */
  isDemo: boolean;
  lostAfterMs: { provider: number; sandbox: number };
  sandboxTimeoutMs: number;
  observed: Pick<ApiPixRailOptions & PlisioRailOptions, 'clock' | 'onCall' | 'onProviderCall'>;
};

/** The period that a check of credentials lists: one page is enough. */
const CHECKED_MS = 60_000;

/**
 * Opens rails with the accounts' own credentials, and checks such credentials with their providers.
 * `open` resolves to null for an id without credentials that this installation uses.
 */
export function createOwnRails(parts: Parts) {
  const { db, secretBox, observed } = parts;
  const opened = new Map<string, { newest: string; rail: OwnRail }>();
  const versions = new Map<string, OwnRail>();

  /** Sealed credentials never change, so each version is opened once per process. */
  function openVersion(version: CredentialVersion, name: string): OwnRail {
    const known = versions.get(version.id);
    if (known) return known;
    const stored: unknown = JSON.parse(
      secretBox.open(version.sealed, sealContext('credentials.sealed', { id: version.id })),
    );
    const rail = toRail(parts, readOwnCredentials(version.kind, stored), name);
    versions.set(version.id, rail);
    return rail;
  }

  return {
    async open(railId: string, name: string): Promise<OwnRail | null> {
      // A name may come from outside, with a callback.
      if (!isUuid(railId)) return null;
      const found = (await findCredentialVersions(db, railId)).filter((version) => isUsedHere(parts, version));
      const [newest] = found;
      if (!newest) return null;
      const known = opened.get(railId);
      if (known?.newest === newest.id) return known.rail;
      const rail = overVersions(found.map((version) => ({ ...openVersion(version, name), endedAt: version.endedAt })));
      opened.set(railId, { newest: newest.id, rail });
      return rail;
    },
    async check(credentials: OwnCredentials): Promise<CheckFinding[]> {
      return credentials.kind === 'plisio'
        ? checkPlisio(parts, credentials)
        : checkPix(parts, credentials, observed.clock);
    },
    async close(): Promise<void> {
      await Promise.all([...versions.values()].map(({ rail }) => rail.close()));
    },
  };
}

function isUsedHere({ secretBox, sandboxUrl, isDemo }: Parts, { id, kind, sealed }: CredentialVersion): boolean {
  const stored: unknown = JSON.parse(secretBox.open(sealed, sealContext('credentials.sealed', { id })));
  const isOfSandbox = 'sandbox' in readOwnCredentials(kind, stored).value;
  return isOfSandbox ? sandboxUrl !== null : !isDemo;
}

function overVersions(versions: (OwnRail & { endedAt: Date | null })[]): OwnRail {
  const pix = versions.flatMap((one) => (one.kind === 'api_pix' ? [one] : []));
  const crypto = versions.flatMap((one) => (one.kind === 'plisio' ? [one] : []));
  const [newest, ...earlier] = pix as RailVersion<PixRail>[];
  if (newest) return { kind: 'api_pix', rail: pixOverVersions([newest, ...earlier]) };
  const [first, ...others] = crypto as RailVersion<CryptoRail>[];
  if (!first) throw new Error('There is no rail over no credentials.');
  return { kind: 'plisio', rail: cryptoOverVersions([first, ...others]) };
}

function toRail(parts: Parts, credentials: OwnCredentials, name: string): OwnRail {
  const { lostAfterMs, observed, sandboxTimeoutMs } = parts;
  const isOfSandbox = 'sandbox' in credentials.value;
  const shared = {
    name,
    lostAfterMs: isOfSandbox ? lostAfterMs.sandbox : lostAfterMs.provider,
    ...(isOfSandbox && { callTimeoutMs: sandboxTimeoutMs, isSandbox: true }),
    ...observed,
  };
  if (credentials.kind === 'plisio') {
    return { kind: 'plisio', rail: createPlisioRail({ ...shared, ...plisioAddress(parts, credentials.value) }) };
  }
  const { payoutUrl, ...settings } = pixAddress(parts, credentials.value);
  const payouts = payoutUrl ? { payouts: { baseUrl: payoutUrl, lostAfterMs: shared.lostAfterMs } } : {};
  const disputes = isOfSandbox ? { disputes: { baseUrl: settings.baseUrl } } : {};
  return { kind: 'api_pix', rail: createApiPixRail({ ...shared, ...settings, ...payouts, ...disputes }) };
}

/** The sandbox's credentials hold no address: they are used wherever the sandbox is. */
function pixAddress(parts: Parts, value: Extract<OwnCredentials, { kind: 'api_pix' }>['value']) {
  if (!('sandbox' in value)) return value;
  const { sandbox: _, ...client } = value;
  const baseUrl = sandboxAt(parts);
  return { ...client, baseUrl, payoutUrl: baseUrl };
}

function plisioAddress(parts: Parts, value: Extract<OwnCredentials, { kind: 'plisio' }>['value']) {
  if (!('sandbox' in value)) return value;
  return { apiKey: value.apiKey, baseUrl: sandboxAt(parts) + SANDBOX_PATHS.plisio };
}

function sandboxAt({ sandboxUrl }: Parts): string {
  if (sandboxUrl === null) throw new Error('Credentials of the sandbox are of no use without it.');
  return sandboxUrl;
}

/** Asks the reading routes of `psp check` that are needed to take and send PIX. */
async function checkPix(
  parts: Parts,
  { value }: Extract<OwnCredentials, { kind: 'api_pix' }>,
  clock: () => Date,
): Promise<CheckFinding[]> {
  const { payoutUrl, ...settings } = pixAddress(parts, value);
  const only = [...NEEDED_ROUTES, ...(payoutUrl ? (['payouts'] as const) : [])];
  const findings = await askPsp({ ...settings, payoutUrl: payoutUrl ?? null, clock, only });
  return only.map((route) => {
    const answer = findings.find(({ name }) => name === route)?.answer;
    return { route, answer: answer === undefined || answer === 'not_asked' ? 'unclear' : answer };
  });
}

async function checkPlisio(
  parts: Parts,
  credentials: Extract<OwnCredentials, { kind: 'plisio' }>,
): Promise<CheckFinding[]> {
  const { kind, rail } = toRail(parts, credentials, 'checked');
  if (kind !== 'plisio') throw new Error('These credentials are of no crypto processor.');
  try {
    const to = parts.observed.clock();
    const listed = await rail.listOperations({ from: new Date(to.getTime() - CHECKED_MS), to, page: 0 });
    const answers = { done: 'can', rejected: 'not_allowed', unknown: 'no_answer' } as const satisfies Record<
      typeof listed.outcome,
      CheckAnswer
    >;
    return [{ route: 'operations', answer: answers[listed.outcome] }];
  } finally {
    await rail.close();
  }
}
