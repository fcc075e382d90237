import { expect, test } from 'vitest';
import { CRYPTO_MAGIC } from '#sandbox/crypto/magic.ts';
import { MAGIC } from '#sandbox/magic.ts';
import { SWITCHES } from '#sandbox/switches.ts';
import { MAGIC_CENTS, SANDBOX_SWITCHES, UNKNOWN_PIX_KEY } from './magic-values.ts';

/** The page may not import the sandbox, so it has its own tables: they say what the sandbox does. */

test('the page’s magic values are the sandbox’s', () => {
  expect(MAGIC_CENTS).toEqual({
    pixChargeCents: MAGIC.pixChargeCents,
    pixPayoutCents: MAGIC.pixPayoutCents,
    depositCents: CRYPTO_MAGIC.depositCents,
    withdrawalCents: CRYPTO_MAGIC.withdrawalCents,
  });
  expect(MAGIC.unknownPixKeys).toEqual([UNKNOWN_PIX_KEY]);
});

test('the page’s switches are the sandbox’s, each with its default first', () => {
  expect(SANDBOX_SWITCHES).toEqual(SWITCHES);
});
