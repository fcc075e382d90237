import { type AuditListing, searchAudit } from '#db/audit/search-audit.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { AuditFilter } from '../audit/audit-filter.ts';
import type { Deps } from '../deps.ts';

export type { AuditListing };

/**
 * The audit of the whole installation, newest first. `merchant`: its id, or a part of its name. A
 * page may have fewer entries than its limit, or none, although another one follows.
 */
export const listAudit = (
  { db }: Pick<Deps, 'db'>,
  { merchant, ...search }: AuditFilter & { merchant: string | null; before: bigint | null; limit: number },
): Promise<{ entries: AuditListing[]; next: bigint | null }> => {
  const isId = merchant !== null && isUuid(merchant);
  return searchAudit(db.pool, {
    ...search,
    merchantId: isId ? merchant.toLowerCase() : null,
    merchantName: isId ? null : merchant,
    withOperators: true,
    kind: null,
  });
};
