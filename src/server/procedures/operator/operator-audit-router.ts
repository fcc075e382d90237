import { operatorAuditInput, operatorAuditOutput } from '#contract/operator/audit.ts';
import { listAudit } from '#services/operators/list-audit.ts';
import { auditFilter } from '../audit-filter.ts';
import { encoded } from '../encoded.ts';
import { operatorProcedure, operatorRouterOf } from './operator-procedure.ts';
import { toAuditEntry } from './to-audit-entry.ts';

export const operatorAuditRouter = operatorRouterOf({
  /** All of it: of every merchant, and about the installation. */
  search: operatorProcedure
    .input(operatorAuditInput)
    .output(encoded(operatorAuditOutput))
    .query(async ({ ctx, input: { cursor: before, limit, merchant, ...search } }) => {
      const { entries, next } = await listAudit(ctx.deps, { merchant, before, limit, ...auditFilter(search) });
      return { entries: entries.map(toAuditEntry), next_cursor: next };
    }),
});
