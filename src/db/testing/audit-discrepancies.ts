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
