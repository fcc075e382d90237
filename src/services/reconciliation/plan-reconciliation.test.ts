import { expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { planReconciliation } from './plan-reconciliation.ts';

const NOW = new Date('2026-11-29T12:00:00Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);

/** Returns the rails that days are planned of, where these were last read at these times. */
async function plannedRails(rails: Record<string, { isInUse: boolean; readAt: Date }>): Promise<string[]> {
  const planned: string[] = [];
  const names = Object.keys(rails);
  const query = async ({ name, values }: { name: string; values: string[] }) => {
    if (name === 'reconciliation-plan-days') planned.push(values[0] ?? '');
    if (name === 'find-first-sweep') return { rows: [{ at: ago(1_000) }] };
    if (name === 'list-reconciled-rails')
      return { rows: names.map((rail) => ({ rail, currency: 'BRL', firstDay: '2026-10-01' })) };
    if (name === 'find-last-sweeps')
      return { rows: Object.entries(rails).map(([rail, { readAt }]) => ({ rail, at: readAt })) };
    return { rows: [] };
  };
  const deps = {
    db: { pool: { query }, prisma: { credential: { findUnique: async () => null } } },
    clock: () => NOW,
    rails: {
      pixRails: async () => names.filter((rail) => rails[rail]?.isInUse).map((name) => ({ name })),
      pixNamed: async (name: string) => ({ name }),
    },
  } as unknown as Deps;
  await planReconciliation(deps);
  return planned;
}

test('the days of a rail whose credentials are no longer in use are compared for as long as its PSP is read', async () => {
  const rails = {
    psp: { isInUse: true, readAt: ago(48) },
    'own-replaced': { isInUse: false, readAt: ago(1) },
    'own-revoked': { isInUse: false, readAt: ago(48) },
  };
  expect(await plannedRails(rails)).toEqual(['psp', 'own-replaced']);
});
