import { expect } from 'vitest';
import type { TestService } from '#testing/test-service.ts';

/** Everything that the acts change; of transactions only what no worker changes meanwhile. */
async function state({ deps }: TestService): Promise<unknown> {
  const { rows } = await deps.db.pool.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(k) - 'last_used_at' ORDER BY k.id) FROM api_keys k) AS keys,
      (SELECT jsonb_agg(to_jsonb(e) - 'called_at' ORDER BY e.id) FROM endpoints e WHERE e.url <> '') AS endpoints,
      (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM accounts a) AS accounts,
      (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.account_id, l.name) FROM account_limits l) AS limits,
      (SELECT jsonb_agg(to_jsonb(c) ORDER BY c.id) FROM terms_changes c) AS terms,
      (SELECT jsonb_agg(to_jsonb(t)) FROM withdrawal_thresholds t) AS thresholds,
      (SELECT jsonb_agg(to_jsonb(p)) FROM payees p) AS payees,
      (SELECT jsonb_agg(to_jsonb(b) ORDER BY b.id) FROM payout_batches b) AS batches,
      (SELECT jsonb_agg(to_jsonb(w)) FROM withdrawal_approvals w) AS approvals,
      (SELECT jsonb_agg(jsonb_build_array(i.id, i.role)) FROM invitations i) AS invitations,
      (SELECT jsonb_agg(to_jsonb(m) ORDER BY m.member_id, m.merchant_id) FROM memberships m) AS memberships,
      (SELECT jsonb_agg(s.id ORDER BY s.id) FROM sessions s) AS sessions,
      (SELECT jsonb_agg(jsonb_build_array(m.id, m.two_factor_enabled, m.withdrawals_blocked_until) ORDER BY m.id) FROM members m) AS members,
      (SELECT jsonb_agg(l.password ORDER BY l.id) FROM logins l) AS passwords,
      (SELECT jsonb_agg(jsonb_build_array(m.id, m.kyc_status) ORDER BY m.id) FROM merchants m) AS merchants,
      (SELECT jsonb_agg(jsonb_build_array(d.id, d.submission_id)) FROM kyc_documents d) AS documents,
      (SELECT jsonb_agg(jsonb_build_array(v.id, v.decision)) FROM kyc_submissions v) AS verifications,
      (SELECT jsonb_agg(jsonb_build_array(t.id, t.status = 'cancelled', t.customer_document) ORDER BY t.id) FROM transactions t) AS transactions,
      (SELECT jsonb_agg(r.id ORDER BY r.id) FROM refunds r) AS refunds,
      (SELECT jsonb_agg(jsonb_build_array(d.id, d.state)) FROM disputes d) AS disputes,
      (SELECT jsonb_agg(f.id) FROM dispute_files f) AS dispute_files,
      (SELECT jsonb_agg(y.id) FROM deliveries y WHERE y.status = 'failed') AS failed,
      (SELECT jsonb_agg(to_jsonb(o)) FROM operators o) AS operators,
      (SELECT jsonb_agg(to_jsonb(c)) FROM closed_rails c) AS closed_rails,
      (SELECT jsonb_agg(s.name ORDER BY s.name) FROM settings s) AS settings,
      (SELECT jsonb_agg(r.id) FROM reconciled_days r WHERE r.acknowledged_at IS NOT NULL) AS acknowledged,
      (SELECT count(*)::int FROM audit_records) AS noted`,
  );
  return rows[0];
}

type Act = () => Promise<unknown>;

/** Has the database reject new rows of a table, but for those of a condition, while `act` runs. */
async function whileRejected(trilho: TestService, table: string, condition: string, act: () => unknown): Promise<void> {
  await trilho.asOwner(`ALTER TABLE ${table} ADD CONSTRAINT no_more CHECK (${condition}) NOT VALID`);
  try {
    await act();
  } finally {
    await trilho.asOwner(`ALTER TABLE ${table} DROP CONSTRAINT no_more`);
  }
}

/** Has the database reject records of this action while `act` runs, as a full disk would. */
export const whileNothingIsNoted = (trilho: TestService, action: string, act: () => unknown): Promise<void> =>
  whileRejected(trilho, 'audit_records', `action <> '${action}'`, act);

/**
 * Expects an act not to be done where its audit record can't be written, and to write one else.
 * `notifies`: nor is it done where its notices can't be written.
 */
export async function expectOneCommit(trilho: TestService, action: string, act: Act, notifies = false): Promise<void> {
  const before = await state(trilho);
  await whileNothingIsNoted(trilho, action, () => expect(act()).rejects.toThrow());
  if (notifies) await whileRejected(trilho, 'notices', 'false', () => expect(act()).rejects.toThrow());
  expect(await state(trilho)).toEqual(before);
  const { pool } = trilho.deps.db;
  const { rows: last } = await pool.query<{ id: bigint }>('SELECT coalesce(max(id), 0) AS id FROM audit_records');
  await act();
  const { rows } = await pool.query('SELECT FROM audit_records WHERE id > $1 AND action = $2', [last[0]?.id, action]);
  expect(rows).not.toEqual([]);
}
