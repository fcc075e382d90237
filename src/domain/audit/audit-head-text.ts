/**
 * The texts that a head of the audit hashes and signs: docs/adr/0059-the-audit-has-signed-heads.md.
 * Hashes are hexadecimal in lower case.
 */

/** The end of a chain: a merchant's id, or zeros for the installation; how long it is; its link. */
export type AuditChainEnd = { chain: string; number: bigint; link: string };

/** The leaf of a chain. */
export const auditLeafText = ({ chain, number, link }: AuditChainEnd): string =>
  ['trilho-audit-leaf-1', chain, number, link].join('\n');

/**
 * Returns the text of a head that is signed: it names the last record that is covered, and how many
 * chains grew since the head before it.
 */
export const auditHeadText = (head: {
  day: string;
  previous: string;
  recordId: bigint;
  root: string;
  chains: number;
}): string => ['trilho-audit-head-1', head.day, head.previous, head.recordId, head.root, head.chains].join('\n');
