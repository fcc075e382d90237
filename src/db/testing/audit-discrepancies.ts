import { AUDIT_HEADS_RULE } from '../audit/check-audit-heads.ts';

/**
 * What only the owner of the tables can do, past the triggers. `$second` is the merchant’s second
 * record of three.
 */
export const AUDIT_DISCREPANCIES: readonly [what: string, sql: string, rule: string, detail: string][] = [
  [
    'who did it',
    `UPDATE audit_records SET member_id = gen_random_uuid() WHERE id = $second`,
    'every audit record is as it was sealed',
    'audit record $second (second of merchant $merchant at 2026-11-21T',
  ],
  [
    'what it was about',
    `UPDATE audit_records SET details = '{"name": "Cofre"}' WHERE id = $second`,
    'every audit record is as it was sealed',
    'audit record $second (second of merchant $merchant',
  ],
  [
    'when it was, by a millisecond',
    `UPDATE audit_records SET at = at - interval '1 millisecond' WHERE id = $second`,
    'every audit record is as it was sealed',
    'audit record $second (second of merchant $merchant',
  ],
  [
    'whose it is',
    `UPDATE audit_records SET merchant_id = NULL WHERE id = $second`,
    'every audit record is as it was sealed',
    'audit record $second (second of merchant $merchant',
  ],
  [
    'a record, which is gone',
    'DELETE FROM audit_records WHERE id = $second',
    'no audit record is removed',
    'audit record $second, number 2 of merchant $merchant, is gone',
  ],
  [
    'a record and its link, which are gone',
    'DELETE FROM audit_records WHERE id = $second; DELETE FROM audit_links WHERE record_id = $second',
    'every audit record follows the one before it',
    'is number 3 of merchant $merchant, and follows nothing',
  ],
  [
    'a record that was put in before the last one',
    `INSERT INTO audit_records (id, merchant_id, action, at) VALUES ($second + 100, '$merchant', 'sneaked', now());
      UPDATE audit_sealing SET record_id = $second + 200`,
    'no audit record is put in behind the seals',
    '(sneaked of merchant $merchant) was not there when those after it were sealed',
  ],
  [
    'a link',
    `UPDATE audit_links SET link = sha256('x') WHERE record_id = $second`,
    'every audit record is as it was sealed',
    'audit record $second (second of merchant $merchant',
  ],
];

/** What somebody does who owns the tables and knows how records are linked. */
const RECOMPUTE_LINKS = `DO $$ DECLARE v record; BEGIN
  FOR v IN SELECT l.record_id, r FROM audit_links l JOIN audit_records r ON r.id = l.record_id ORDER BY l.record_id LOOP
    UPDATE audit_links l SET link = audit_link(
      (SELECT p.link FROM audit_links p WHERE p.chain = l.chain AND p.number = l.number - 1), l.number, v.r)
    WHERE l.record_id = v.record_id;
  END LOOP;
END $$`;

const CHANGED_HEADS: readonly [what: string, sql: string, detail: string][] = [
  [
    'a record with all links after it',
    `UPDATE audit_records SET details = '{}' WHERE action = 'first'`,
    '21 has the root',
  ],
  [
    'a record that is the newest of its day, which is gone with its link',
    `DELETE FROM audit_links l USING audit_records r WHERE r.id = l.record_id AND r.action = 'third';
      DELETE FROM audit_records WHERE action = 'third'; UPDATE audit_links SET number = 2 WHERE number = 3`,
    '21 has the root',
  ],
  ['the end of a day', 'UPDATE audit_heads SET record_id = record_id - 1', '21 has the root'],
  [
    'a head and its root',
    `UPDATE audit_heads SET hash = sha256('x') WHERE day = '2026-11-21'`,
    '21 does not follow the one before it',
  ],
  ['a head, which is gone', `DELETE FROM audit_heads WHERE day = '2026-11-22'`, 'the audit has no head of 2026-11-22'],
  ['a head in the middle', `DELETE FROM audit_heads WHERE day = '2026-11-21'`, 'the audit has no head of 2026-11-21'],
  [
    'a signature',
    'UPDATE audit_heads h SET signature = o.signature FROM audit_heads o WHERE o.day <> h.day',
    '21 has a signature of something else',
  ],
];

/**
 * The same with all links recomputed after it. The audit that they are made for has two days with a
 * head each: merchant one's records first and third and one of the installation on the first day,
 * and another merchant's on the second.
 */
export const AUDIT_HEAD_DISCREPANCIES: typeof AUDIT_DISCREPANCIES = CHANGED_HEADS.map(([what, sql, detail]) => [
  what,
  `${sql}; ${RECOMPUTE_LINKS}`,
  AUDIT_HEADS_RULE,
  detail,
]);
