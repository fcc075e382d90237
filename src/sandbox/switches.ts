import type { ClientBase, Pool } from 'pg';
import { SANDBOX_SWITCHES } from '#domain/sandbox/sandbox-switches.ts';
import { pixProblem } from './problems.ts';

export type SwitchName = keyof typeof SANDBOX_SWITCHES;
export type SwitchValue<Name extends SwitchName> = (typeof SANDBOX_SWITCHES)[Name][number];

/**
 * The current value of a switch; read from the database, so that every process sees a change at
 * once.
 */
export async function readSwitch<Name extends SwitchName>(
  db: Pool | ClientBase,
  name: Name,
): Promise<SwitchValue<Name>> {
  const { rows } = await db.query<{ value: string }>({
    name: 'sandbox_read_switch',
    text: 'SELECT value FROM sandbox.switches WHERE name = $1',
    values: [name],
  });
  return knownValue(name, rows[0]?.value);
}

/** What `pix.query` makes of a question: throws a 500 Problem, or says that no answer will come. */
export async function isQuerySilenced(pool: Pool): Promise<boolean> {
  const mode = await readSwitch(pool, 'pix.query');
  if (mode === 'error') throw pixProblem('ErroInternoDoServidor');
  return mode === 'timeout';
}

/** The values of all switches. */
export async function readSwitches(pool: Pool): Promise<Record<SwitchName, string>> {
  const { rows } = await pool.query<{ name: string; value: string }>('SELECT name, value FROM sandbox.switches');
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const names = Object.keys(SANDBOX_SWITCHES) as SwitchName[];
  return Object.fromEntries(names.map((name) => [name, knownValue(name, stored.get(name))])) as Record<
    SwitchName,
    string
  >;
}

export async function writeSwitch(pool: Pool, name: SwitchName, value: string): Promise<void> {
  await pool.query(
    'INSERT INTO sandbox.switches (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  );
}

/**
 * The stored value if this version knows it, else the default: an old database must not break a
 * newer sandbox.
 */
function knownValue<Name extends SwitchName>(name: Name, stored: string | undefined): SwitchValue<Name> {
  const allowed: readonly SwitchValue<Name>[] = SANDBOX_SWITCHES[name];
  return allowed.find((value) => value === stored) ?? (allowed[0] as SwitchValue<Name>);
}
