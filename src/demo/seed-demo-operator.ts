import { readSetting, setSettingOnce } from '#db/connection/settings.ts';
import type { Deps } from '#services/deps.ts';
import { createOperator, resetOperator } from '#services/operators/manage-operators.ts';

/** The demo operator's login; `trilho operator code` shows what their authenticator app would. */
export type DemoOperator = { email: string; password: string; authenticator_key: string };

const EMAIL = 'operator@trilho.example';

/**
 * Makes the demo operator, once: the login differs between installations, and is stored sealed so
 * that every start can show it again. Completes what a killed start left.
 */
export async function seedDemoOperator(deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>): Promise<DemoOperator> {
  const stored = await readSetting(deps.db, deps.secretBox, 'demo-operator');
  if (stored !== null) return JSON.parse(stored) as DemoOperator;
  const made =
    (await createOperator(deps, { name: 'Operador da demonstração', email: EMAIL })) ??
    (await resetOperator(deps, EMAIL));
  const login: DemoOperator = {
    email: EMAIL,
    password: made?.password ?? '',
    authenticator_key: made?.authenticatorKey ?? '',
  };
  return JSON.parse(
    await setSettingOnce(deps.db, deps.secretBox, 'demo-operator', JSON.stringify(login)),
  ) as DemoOperator;
}
