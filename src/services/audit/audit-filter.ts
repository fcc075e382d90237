import type { AuditSearch } from '#db/audit/search-audit.ts';

/** What the audit is searched by, whoever reads it. */
export type AuditFilter = Pick<AuditSearch, 'who' | 'actions' | 'from' | 'until'>;
