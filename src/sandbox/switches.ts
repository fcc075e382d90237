import type { ClientBase, Pool } from 'pg';
import { SANDBOX_SWITCHES } from '#domain/sandbox/sandbox-switches.ts';
import { pixProblem } from './problems.ts';

export type SwitchName = keyof typeof SANDBOX_SWITCHES;
export type SwitchValue<Name extends SwitchName> = (typeof SANDBOX_SWITCHES)[Name][number];

/**
 * Returns the current value of a switch. It is read from the database, so that every process sees a
 * change at once.
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

/**
 * Whether the switch `pix.query` leaves queries without an answer. Throws a 500 Problem when it
 * makes them fail.
 */
export const isQuerySilenced = async (pool: Pool): Promise<boolean> => isSilence(await readSwitch(pool, 'pix.query'));

/** As isQuerySilenced(), by the switch's stored value; without one it has its default. */
export const isSilencedBy = (stored: string | null | undefined): boolean => isSilence(knownValue('pix.query', stored));

function isSilence(mode: SwitchValue<'pix.query'>): boolean {
  if (mode === 'error') throw pixProblem('ErroInternoDoServidor');
  return mode === 'timeout';
}

export type Switches = { [Name in SwitchName]: SwitchValue<Name> };

/** Returns the values of all switches. */
export async function readSwitches(db: Pool | ClientBase): Promise<Switches> {
  const { rows } = await db.query<{ name: string; value: string }>({
    name: 'sandbox_read_switches',
    text: 'SELECT name, value FROM sandbox.switches',
  });
  return toSwitches(Object.fromEntries(rows.map((row) => [row.name, row.value])));
}

/** Returns the values of all switches by those that are stored; one that is not has its default. */
export function toSwitches(stored: Readonly<Record<string, string>>): Switches {
  const names = Object.keys(SANDBOX_SWITCHES) as SwitchName[];
  return Object.fromEntries(names.map((name) => [name, knownValue(name, stored[name])])) as Switches;
}

export async function writeSwitch(pool: Pool, name: SwitchName, value: string): Promise<void> {
  await pool.query(
    'INSERT INTO sandbox.switches (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  );
}

/**
 * Returns the stored value if this version has it, else the default: an old database must not break
 * a newer sandbox.
 */
function knownValue<Name extends SwitchName>(name: Name, stored: string | null | undefined): SwitchValue<Name> {
  const allowed: readonly SwitchValue<Name>[] = SANDBOX_SWITCHES[name];
  return allowed.find((value) => value === stored) ?? (allowed[0] as SwitchValue<Name>);
}
