import { openDatabase } from '#db/connection/database.ts';
import { fund } from '#db/testing/ledger-fixture.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { PLAIN_ACCOUNT } from '../../src/testing/plain-account.ts';
import { type Base, CHARGE_EXPIRY_SECONDS } from '../start-base.ts';
import {
  FUNDS_CENTAVOS,
  LOADS,
  loadsOf,
  type MeasuredLedger,
  TRANSFER_CENTAVOS,
  TRANSFER_DESCRIPTION,
} from './peer.ts';

/** Limits that are kept, and reached by none. */
const LIMITS = (['daily_limit_out_pix', 'night_limit_out_pix'] as const).map((name) => ({
  name,
  centavos: BigInt(FUNDS_CENTAVOS),
}));

/**
 * Starts a web process of the service, and opens and funds its accounts. A withdrawal is requested:
 * validated, checked against the limits of its day and night, its money moved to what is held, and
 * its payout planned. Nothing runs the payouts.
 */
export async function startWithdrawals(base: Base): Promise<MeasuredLedger> {
  const { postgres, masterKeys } = base;
  const db = openDatabase(postgres.url, { max: 1 });
  const settings = { demo: true, chargeExpirySeconds: CHARGE_EXPIRY_SECONDS };
  const deps = { db, secretBox: createSecretBox(masterKeys), settings, clock: () => new Date() };
  const apiKeys: string[] = [];
  for (let made = 0; made < LOADS.spread; made++) {
    const names = { name: 'Sapataria Passo Certo', email: `bench-${made}@example.com` };
    const { accountId, apiKey } = await openAccount(deps, { ...PLAIN_ACCOUNT, ...names, limits: LIMITS });
    await fund(db.pool, { id: accountId, mode: 'test' }, BigInt(FUNDS_CENTAVOS));
    apiKeys.push(apiKey);
  }
  await db.close();
  const target = await base.startWeb('web');
  const loads = loadsOf(apiKeys, 200, (apiKey) => ({
    path: '/payments/transfers/pix',
    headers: { 'x-api-key': apiKey },
    body: {
      amount: TRANSFER_CENTAVOS / 100,
      pixKey: '+5511987654321',
      pixKeyType: 'PHONE',
      description: TRANSFER_DESCRIPTION,
    },
  }));
  return { target, loads };
}
