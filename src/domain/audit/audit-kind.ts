/**
 * What the security page tells apart: acts on keys, logins and settings, and acts with money, of
 * which there are far more.
 */
export const AUDIT_KINDS = ['security', 'money'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];
