import { randomBytes } from 'node:crypto';
import { findAccountId, upsertMember } from '#db/accounts/accounts.ts';
import { readSetting, setSettingOnce } from '#db/connection/settings.ts';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import {
  type AccountDeps,
  AccountRejected,
  type OpenAccountInput,
  openAccount,
} from '#services/accounts/open-account.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import type { Deps } from '#services/deps.ts';
import type { NotifyDeps } from '#services/members/notify-members.ts';
import { passwordHashing } from '#services/members/password-hashing.ts';

/** The demo merchant's own login and the API key of its test account. */
export type DemoLogin = { email: string; password: string; api_key: string; account_id: string };

type DemoDeps = AccountDeps & NotifyDeps;

const DEMO_EMAIL = 'demo@trilho.example';
const PASSWORD_BYTES = 9;

const DEMO_MERCHANT: Omit<OpenAccountInput, 'mode'> = {
  name: 'Loja Azul',
  email: DEMO_EMAIL,
  // The alphanumeric sample of the Receita Federal: valid, and not assigned.
  document: '12ABC34501DE35',
  documentType: 'cnpj',
  kycStatus: 'approved',
  currency: 'USDT_BSC',
  fees: [
    { type: 'pix_in', fee: { bps: 100, fixedCentavos: 10n } },
    { type: 'pix_out', fee: { bps: 0, fixedCentavos: 100n } },
    { type: 'crypto_in', fee: { bps: 150, fixedCentavos: 0n } },
    { type: 'crypto_out', fee: { bps: 150, fixedCentavos: 0n } },
  ],
  limits: [],
  canCreateAccounts: true,
  webhookUrl: null,
};

/** Limits that such a shop would have agreed with its provider. */
const LIVE_LIMITS: OpenAccountInput['limits'] = [
  { name: 'minimal_value_in_pix', centavos: 1_00n },
  { name: 'maximal_value_in_pix', centavos: 20_000_00n },
  { name: 'minimal_value_out_pix', centavos: 1_00n },
  { name: 'maximal_value_out_pix', centavos: 5_000_00n },
  { name: 'daily_limit_out_pix', centavos: 10_000_00n },
  { name: 'night_limit_out_pix', centavos: 1_000_00n },
  { name: 'minimal_value_in_crypto', centavos: 20_00n },
  { name: 'maximal_value_in_crypto', centavos: 30_000_00n },
  { name: 'minimal_value_out_crypto', centavos: 50_00n },
  { name: 'maximal_value_out_crypto', centavos: 10_000_00n },
  { name: 'daily_limit_out_crypto', centavos: 15_000_00n },
];

/** Play money only: a first try needs no limits. */
const TEST_LIMITS: OpenAccountInput['limits'] = LIMIT_NAMES.map((name) => ({ name, centavos: null }));

/** The demo login of this installation; null where none was seeded. */
export async function findDemoLogin({ db, secretBox }: Pick<Deps, 'db' | 'secretBox'>): Promise<DemoLogin | null> {
  const stored = await readSetting(db, secretBox, 'demo-login');
  return stored === null ? null : (JSON.parse(stored) as DemoLogin);
}

/** The demo merchant's account of this mode; null where there is none yet. */
export const findDemoAccount = ({ db }: Pick<Deps, 'db'>, mode: 'live' | 'test'): Promise<string | null> =>
  findAccountId(db.pool, { accountId: null, email: DEMO_EMAIL, mode });

/**
 * Makes the demo merchant with a live and a test account, once: its key and password are made here,
 * differ between installations, and are stored sealed so that every start can show them again.
 * Completes what a killed start left.
 */
export async function seedDemo(deps: DemoDeps): Promise<DemoLogin> {
  const found = await findDemoLogin(deps);
  if (found) return found;
  await accountOf(deps, 'live');
  const { accountId, apiKey } = await accountOf(deps, 'test');
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const now = deps.clock();
  const passwordHash = await passwordHashing.hash(password);
  const member = { id: uuidv7(now), name: 'Maria da Silva', email: DEMO_EMAIL, passwordHash };
  await upsertMember(deps.db, { merchantEmail: DEMO_EMAIL, member, now });
  const login = { email: DEMO_EMAIL, password, api_key: apiKey, account_id: accountId };
  return JSON.parse(await setSettingOnce(deps.db, deps.secretBox, 'demo-login', JSON.stringify(login))) as DemoLogin;
}

async function accountOf(deps: DemoDeps, mode: 'live' | 'test'): Promise<{ accountId: string; apiKey: string }> {
  try {
    return await openAccount(deps, { ...DEMO_MERCHANT, mode, limits: mode === 'live' ? LIVE_LIMITS : TEST_LIMITS });
  } catch (error) {
    if (!(error instanceof AccountRejected)) throw error;
    // An earlier start was killed before it stored the account's key, so the account gets another
    // one.
    const accountId = await findDemoAccount(deps, mode);
    const key = accountId && (await createApiKey(deps, { accountId, name: 'Demonstração' }));
    if (!accountId || !key) throw error;
    return { accountId, apiKey: key.apiKey };
  }
}
