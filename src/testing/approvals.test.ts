import { expect, test } from 'vitest';
import { approvalOf } from '#panel/shell/approval.ts';
import { panelRouter } from '#server/procedures/panel-router.ts';
import type { ProcedureMeta } from '#server/procedures/procedure.ts';

type Procedures = Record<string, { _def: { meta?: ProcedureMeta } }>;

test('every request for a second factor says what it is for', () => {
  const asking = Object.entries(panelRouter._def.procedures as unknown as Procedures)
    .filter(([, { _def }]) => _def.meta?.confirm)
    .map(([path]) => path);
  expect(asking).toContain('withdrawals.pix');
  expect(asking.filter((path) => approvalOf({ path }).action === null)).toEqual([]);
});
