import { expect, test } from 'vitest';
import type { CryptoRail, PixRail } from '#rails/ports.ts';
import { findActiveRails } from './find-active-rails.ts';

type Given = Parameters<typeof findActiveRails>;

/** What a live account's operations are with these rails and settings. */
const activeOf = (
  rails: { pix?: Partial<PixRail>; crypto?: Partial<CryptoRail> },
  terms: Partial<Given[1]> = {},
  requireOwnCredentials = false,
) => {
  const { pix = null, crypto = null } = rails;
  const deps = {
    rails: { pixFor: async () => pix as PixRail | null, cryptoFor: async () => crypto as CryptoRail | null },
    settings: { requireOwnCredentials },
  };
  return findActiveRails(deps, { mode: 'live', credentials: {}, inactiveRails: [], ...terms });
};

test('an operation is active where the account has a provider for it and it is not turned off for the account', async () => {
  const none = { pix_in: false, pix_out: false, crypto_in: false, crypto_out: false };
  const sends = { payouts: {} } as Partial<PixRail>;
  expect(await activeOf({})).toEqual(none);
  expect(await activeOf({ pix: { payouts: null } })).toEqual({ ...none, pix_in: true });
  expect(await activeOf({ pix: sends })).toEqual({ ...none, pix_in: true, pix_out: true });
  expect(await activeOf({ crypto: {} })).toEqual({ ...none, crypto_in: true, crypto_out: true });
  expect(await activeOf({ crypto: {} }, { inactiveRails: ['crypto_out'] })).toEqual({ ...none, crypto_in: true });
  expect(await activeOf({ pix: sends, crypto: {} }, { credentials: { plisio: 'own' } }, true)).toEqual({
    ...{ ...none, crypto_in: true },
    crypto_out: true,
  });
});
