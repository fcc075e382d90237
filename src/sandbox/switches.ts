import type { ClientBase, Pool } from 'pg';

/** Every way in which the outside world can be told to misbehave; the first value of each is its default. */
export const SWITCHES = {
  'pix.charge': ['ok', 'error', 'refused', 'timeout'],
  'pix.query': ['ok', 'error', 'timeout'],
  'pix.callback': ['once', 'twice', 'never', 'delayed', 'reordered', 'forged', 'failing'],
} as const;

export type SwitchName = keyof typeof SWITCHES;
export type SwitchValue<Name extends SwitchName> = (typeof SWITCHES)[Name][number];

/** How one switch stands now; read from the database, so that every process sees a change at once. */
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

/** How all switches stand. */
export async function readSwitches(pool: Pool): Promise<Record<SwitchName, string>> {
  const { rows } = await pool.query<{ name: string; value: string }>('SELECT name, value FROM sandbox.switches');
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const names = Object.keys(SWITCHES) as SwitchName[];
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

/** The stored value if this version knows it, else the default: an old database must not break a newer sandbox. */
export function knownValue<Name extends SwitchName>(name: Name, stored: string | undefined): SwitchValue<Name> {
  const allowed: readonly SwitchValue<Name>[] = SWITCHES[name];
  return allowed.find((value) => value === stored) ?? (allowed[0] as SwitchValue<Name>);
}
