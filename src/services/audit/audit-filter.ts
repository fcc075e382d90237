import type { AuditSearch } from '#db/audit/search-audit.ts';

/** What members and operators can search the audit by. */
export type AuditFilter = Pick<AuditSearch, 'who' | 'actions' | 'from' | 'until'>;
