import type { LedgerRule } from '../ledger/ledger-rules.ts';

const OWNER = (chain: string) =>
  `CASE WHEN ${chain} = audit_chain(NULL) THEN 'the installation' ELSE 'merchant ' || ${chain} END`;

/**
 * The links of records that were sealed after the last proved one, each with the link before it.
 */
const LINKS = (audited: string) => `FROM audit_links l
      LEFT JOIN audit_records r ON r.id = l.record_id
      LEFT JOIN audit_links p ON p.chain = l.chain AND p.number = l.number - 1
    WHERE l.record_id > ${audited}`;

const CHANGED = (
  audited: string,
) => `SELECT format('audit record %s (%s of %s at %s) is not as it was sealed', r.id, r.action,
        ${OWNER('l.chain')}, to_char(r.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) AS detail
      ${LINKS(audited)} AND r.id IS NOT NULL AND (p.number IS NOT NULL OR l.number = 1)
        AND l.link <> audit_link(p.link, l.number, r) ORDER BY r.id`;

const REMOVED = (audited: string) => `SELECT format('audit record %s, number %s of %s, is gone', l.record_id, l.number,
        ${OWNER('l.chain')}) AS detail
      ${LINKS(audited)} AND r.id IS NULL ORDER BY l.record_id`;

const PUT_IN = (
  audited: string,
) => `SELECT format('audit record %s (%s of %s) was not there when those after it were sealed', r.id, r.action,
        ${OWNER('audit_chain(r.merchant_id)')}) AS detail
      FROM audit_sealing s JOIN audit_records r ON r.id > ${audited} AND r.id <= s.record_id
      WHERE NOT EXISTS (SELECT FROM audit_links l WHERE l.record_id = r.id) ORDER BY r.id`;

const FOLLOWED = (
  audited: string,
) => `SELECT format('audit record %s is number %s of %s, and follows %s', l.record_id, l.number,
        ${OWNER('l.chain')}, coalesce('record ' || p.record_id, 'nothing')) AS detail
      ${LINKS(audited)} AND (p.number IS NULL AND l.number <> 1 OR p.record_id >= l.record_id) ORDER BY l.record_id`;

const rule = (name: string, sqlOf: (audited: string) => string): LedgerRule => ({
  rule: name,
  sql: sqlOf('0'),
  sinceSql: ({ audited }) => sqlOf(audited),
});

/** The ledger check's rules for the audit's chains. */
export const AUDIT_RULES: readonly LedgerRule[] = [
  rule('every audit record is as it was sealed', CHANGED),
  rule('no audit record is removed', REMOVED),
  rule('no audit record is put in behind the seals', PUT_IN),
  rule('every audit record follows the one before it', FOLLOWED),
];
