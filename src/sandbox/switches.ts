import type { ClientBase, Pool } from 'pg';
import { pixProblem } from './problems.ts';

/** Every way in which the outside world can be told to misbehave; the first value of each is its default. */
export const SWITCHES = {
  'pix.charge': ['ok', 'error', 'timeout', 'refused'],
  'pix.query': ['ok', 'error', 'timeout'],
  'pix.callback': ['once', 'twice', 'never', 'delayed', 'forged', 'reordered', 'failing'],
  // refused: accepted, then not carried out; rejected: refused at once; silent: no answer, carried out or not.
  'pix.payout': ['done', 'refused', 'rejected', 'silent_done', 'silent_lost'],
  'pix.refund': ['done', 'refused', 'rejected', 'silent_done', 'silent_lost'],
  'crypto.invoice': ['ok', 'error', 'timeout'],
  'crypto.callback': ['once', 'twice', 'never', 'forged'],
  // refused: at once; silent: no answer, carried out or not.
  'crypto.payout': ['done', 'refused', 'silent_done', 'silent_lost'],
  // off: answers keep wallets and amounts to themselves.
  'crypto.white_label': ['on', 'off'],
  quotes: ['ok', 'down', 'diverging', 'stale'],
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

/** What `pix.query` makes of a question: throws a 500 Problem, or says that no answer will come. */
export async function isQuerySilenced(pool: Pool): Promise<boolean> {
  const mode = await readSwitch(pool, 'pix.query');
  if (mode === 'error') throw pixProblem('ErroInternoDoServidor');
  return mode === 'timeout';
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
