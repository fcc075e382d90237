/**
 * The kinds of record that the security page filters by: changes of keys, logins and settings, and
 * movements of money, of which there are far more.
 */
export const AUDIT_KINDS = ['security', 'money'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];
