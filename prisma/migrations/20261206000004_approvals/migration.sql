-- Withdrawals that a second person approves before they are sent, and the amounts from which on an
-- account asks for more.

-- The amount of an account above which a withdrawal waits for a second person ('approval'), or goes
-- to payees of the account only ('payees'); null, or no row: none does. What was proposed in its
-- place applies from next_from on, and while that is null not before another owner approves it.
CREATE TABLE withdrawal_thresholds (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  kind text NOT NULL,
  centavos bigint,
  next_centavos bigint,
  next_from timestamptz(3),
  proposed_by_id uuid,
  proposed_at timestamptz(3),
  PRIMARY KEY (account_id, kind)
);
ALTER TABLE withdrawal_thresholds
  ADD CONSTRAINT withdrawal_thresholds_kind CHECK (kind IN ('approval', 'payees')),
  ADD CONSTRAINT withdrawal_thresholds_not_negative CHECK (centavos >= 0 AND next_centavos >= 0);

-- asker_ids: the members who count as having asked, as money_out_paused_until has them: the member,
-- or who created and who rotated the key. assistant_id: the first key (api_keys.first_key_id) of
-- the assistant (MCP) that asked; null: none did.
CREATE TABLE withdrawal_approvals (
  transaction_id uuid PRIMARY KEY REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  key_id uuid,
  member_id uuid,
  asker_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  expires_at timestamptz(3) NOT NULL,
  outcome text,
  decided_by_id uuid,
  decided_at timestamptz(3),
  reason text,
  assistant_id uuid,
  asked_at timestamptz(3)
);
ALTER TABLE withdrawal_approvals
  ADD CONSTRAINT withdrawal_approvals_outcome CHECK (
    outcome IN ('approved', 'declined', 'expired') AND decided_at IS NOT NULL
      AND (outcome = 'expired') = (decided_by_id IS NULL)
    OR outcome IS NULL AND decided_at IS NULL AND decided_by_id IS NULL),
  -- Who asked is never the second person.
  ADD CONSTRAINT withdrawal_approvals_second_person
    CHECK (outcome <> 'approved' OR decided_by_id <> ALL (asker_ids)),
  ADD CONSTRAINT withdrawal_approvals_assistant
    CHECK (num_nonnulls(assistant_id, asked_at) IN (0, 2));
-- Those that no assistant asked for cost no entry.
CREATE INDEX withdrawal_approvals_assistant_id ON withdrawal_approvals (assistant_id, asked_at)
  WHERE assistant_id IS NOT NULL;

-- Returns the amount of an account above which a threshold of this kind holds; null: for none.
CREATE FUNCTION withdrawal_threshold(p_account_id uuid, p_kind text, p_now timestamptz)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT CASE WHEN next_from <= p_now THEN next_centavos ELSE centavos END
    FROM withdrawal_thresholds WHERE account_id = p_account_id AND kind = p_kind);
END $$;

-- Notes who asked for a withdrawal that waits, and has its approvers notified and its end looked
-- for. Called by withdrawal_request, in the statement that holds the money.
CREATE FUNCTION approval_begin(
  p_transaction_id uuid, p_key_id uuid, p_member_id uuid, p_expires_at timestamptz,
  p_now timestamptz
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO withdrawal_approvals (transaction_id, key_id, member_id, asker_ids, expires_at)
  SELECT p_transaction_id, p_key_id, p_member_id, ARRAY(
      SELECT DISTINCT asker FROM (
        SELECT p_member_id AS asker
        UNION ALL SELECT unnest(ARRAY[k.created_by_id, k.rotated_by_id]) FROM api_keys k
        WHERE k.id = p_key_id
      ) AS askers WHERE asker IS NOT NULL ORDER BY asker),
    p_expires_at;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES
    ('notify_approval', p_transaction_id, p_now), ('expire_approval', p_transaction_id, p_expires_at)
$$;

-- Returns what an assistant has asked for since p_since, and may still leave or has left the
-- account: what waits for its confirmation too. The account's available balance is locked, so that
-- each of several simultaneous requests sees what the one before it asked for.
CREATE FUNCTION assistant_asked_centavos(p_assistant_id uuid, p_since timestamptz)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(t.amount_centavos), 0)::bigint
  FROM withdrawal_approvals w JOIN transactions t ON t.id = w.transaction_id
  WHERE w.assistant_id = p_assistant_id AND w.asked_at >= p_since
    AND t.status NOT IN ('failed', 'cancelled')
$$;

-- Approves a withdrawal that waits, once, and has it sent, or begun at the time for which it is
-- scheduled. p_requote: the columns of a crypto withdrawal's new quote; null over PIX. The last
-- three parameters are where it goes, as payees_at takes it. Returns 'approved', 'unknown' (no
-- withdrawal of the account waits or has waited under this id), 'decided' (it waits no more), 'own'
-- (this member counts as having asked), what money_out_block_reason returns for this member,
-- 'asker_paused', or what payee_block_reason returns. While the account, the merchant or either
-- person is stopped, or it may not go where it goes, it goes on to wait.
CREATE FUNCTION withdrawal_approve(
  p_account_id uuid, p_transaction_id uuid, p_member_id uuid, p_requote jsonb, p_now timestamptz,
  p_pix_key_indexes bytea[], p_network text, p_wallets text[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_approval withdrawal_approvals;
  v_block_reason text;
BEGIN
  SELECT * INTO v_tx FROM transactions
  WHERE id = p_transaction_id AND account_id = p_account_id FOR UPDATE;
  SELECT * INTO v_approval FROM withdrawal_approvals WHERE transaction_id = v_tx.id;
  IF v_approval.transaction_id IS NULL THEN RETURN 'unknown'; END IF;
  IF v_tx.sub_status IS DISTINCT FROM 'pending_approval' OR v_approval.expires_at <= p_now THEN
    RETURN 'decided';
  END IF;
  IF p_member_id = ANY (v_approval.asker_ids) THEN RETURN 'own'; END IF;
  v_block_reason := money_out_block_reason(v_tx.account_id, NULL, p_member_id, true, p_now);
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
  IF money_out_paused_until(v_approval.key_id, v_approval.member_id, p_now) IS NOT NULL THEN
    RETURN 'asker_paused';
  END IF;
  PERFORM FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  -- What is planned has to be allowed when it begins, and is looked at again then.
  v_block_reason := payee_block_reason(v_tx, p_pix_key_indexes, p_network, p_wallets,
    greatest(p_now, v_tx.scheduled_for));
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
  IF (v_tx.type = 'crypto_out') <> (p_requote IS NOT NULL) THEN
    RAISE EXCEPTION 'A withdrawal of type % is approved with a new quote or without one.', v_tx.type
      USING ERRCODE = 'TR004';
  END IF;

  v_tx := jsonb_populate_record(v_tx, coalesce(p_requote, '{}'));
  UPDATE transactions
  SET sub_status = CASE WHEN v_tx.scheduled_for IS NOT NULL THEN 'scheduled' END,
    updated_at = p_now, units = v_tx.units,
    quote_price = v_tx.quote_price, quote_spread_bps = v_tx.quote_spread_bps,
    quoted_at = v_tx.quoted_at, quote_sources = v_tx.quote_sources
  WHERE id = v_tx.id;
  UPDATE withdrawal_approvals
  SET outcome = 'approved', decided_by_id = p_member_id, decided_at = p_now
  WHERE transaction_id = v_tx.id;
  DELETE FROM tasks WHERE kind IN ('notify_approval', 'expire_approval') AND subject_id = v_tx.id;
  IF v_tx.scheduled_for IS NOT NULL THEN
    PERFORM scheduled_payout_wait(v_tx.id, v_tx.scheduled_for);
  ELSE
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, p_now);
  END IF;
  RETURN 'approved';
END $$;

-- Fails a withdrawal that waits, and gives the money back: declined by a member, or by time
-- (p_member_id null; not before its end). Returns 'declined', 'unknown' or 'decided', as above;
-- 'waiting': its time has not ended.
CREATE FUNCTION withdrawal_decline(
  p_account_id uuid, p_transaction_id uuid, p_member_id uuid, p_reason text,
  p_failure_code text, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_approval withdrawal_approvals;
BEGIN
  SELECT * INTO v_tx FROM transactions
  WHERE id = p_transaction_id AND account_id = p_account_id FOR UPDATE;
  SELECT * INTO v_approval FROM withdrawal_approvals WHERE transaction_id = v_tx.id;
  IF v_approval.transaction_id IS NULL THEN RETURN 'unknown'; END IF;
  IF v_tx.sub_status IS DISTINCT FROM 'pending_approval' THEN RETURN 'decided'; END IF;
  IF p_member_id IS NULL AND v_approval.expires_at > p_now THEN RETURN 'waiting'; END IF;
  UPDATE withdrawal_approvals
  SET outcome = CASE WHEN p_member_id IS NULL THEN 'expired' ELSE 'declined' END,
    decided_by_id = p_member_id, decided_at = p_now, reason = p_reason
  WHERE transaction_id = v_tx.id;
  IF v_tx.scheduled_for IS NOT NULL THEN
    PERFORM scheduled_payout_end(v_tx.account_id, v_tx.id, 'failed', p_failure_code, NULL, NULL,
      p_now, p_event_id, p_event_type, p_event_body);
  ELSE
    PERFORM payout_fail(v_tx.id, v_tx.status, NULL, NULL, p_failure_code, NULL, p_now,
      p_event_id, p_event_type, p_event_body);
  END IF;
  DELETE FROM tasks WHERE kind IN ('notify_approval', 'expire_approval') AND subject_id = v_tx.id;
  RETURN 'declined';
END $$;

-- The thresholds ----------------------------------------------------------------------------------

-- Locks a threshold of an account, with what was proposed and applies by now in its place. The
-- account's available balance is locked first, as in withdrawal_request: what was asked for after
-- the change has committed is held to it.
CREATE FUNCTION withdrawal_threshold_lock(p_account_id uuid, p_kind text, p_now timestamptz)
RETURNS withdrawal_thresholds LANGUAGE plpgsql AS $$
DECLARE
  v_row withdrawal_thresholds;
BEGIN
  PERFORM FROM ledger_accounts WHERE account_id = p_account_id AND kind = 'available' FOR UPDATE;
  INSERT INTO withdrawal_thresholds (account_id, kind) VALUES (p_account_id, p_kind)
  ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT v_row FROM withdrawal_thresholds
  WHERE account_id = p_account_id AND kind = p_kind FOR UPDATE;
  IF v_row.next_from <= p_now THEN
    UPDATE withdrawal_thresholds SET centavos = next_centavos, next_centavos = NULL, next_from = NULL,
      proposed_by_id = NULL, proposed_at = NULL
    WHERE account_id = p_account_id AND kind = p_kind RETURNING * INTO v_row;
  END IF;
  RETURN v_row;
END $$;

-- Sets the amount above which a threshold of an account holds; null: for none. A lower amount
-- applies at once, and so does the one that applies now: either takes back what was proposed. A
-- higher one, and none, is proposed: another owner approves it, and where there is none it applies
-- from p_alone_from on. Returns 'set', 'proposed', or 'unchanged' (nothing was proposed either);
-- and what applied before.
CREATE FUNCTION withdrawal_threshold_set(
  p_account_id uuid, p_kind text, p_member_id uuid, p_centavos bigint, p_alone_from timestamptz,
  p_now timestamptz, OUT outcome text, OUT centavos_before bigint, OUT applies_from timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  v_row withdrawal_thresholds := withdrawal_threshold_lock(p_account_id, p_kind, p_now);
BEGIN
  centavos_before := v_row.centavos;
  IF p_centavos IS NOT DISTINCT FROM v_row.centavos AND v_row.proposed_at IS NULL THEN
    outcome := 'unchanged';
  ELSIF p_centavos IS NOT DISTINCT FROM v_row.centavos
    OR p_centavos < coalesce(v_row.centavos, p_centavos + 1) THEN
    outcome := 'set';
    applies_from := p_now;
    UPDATE withdrawal_thresholds SET centavos = p_centavos, next_centavos = NULL, next_from = NULL,
      proposed_by_id = NULL, proposed_at = NULL
    WHERE account_id = p_account_id AND kind = p_kind;
  ELSE
    outcome := 'proposed';
    -- The merchant's memberships do not change before this has committed.
    PERFORM FROM merchants m JOIN accounts a ON a.merchant_id = m.id
    WHERE a.id = p_account_id FOR SHARE OF m;
    IF NOT EXISTS (
      SELECT FROM accounts a JOIN memberships s ON s.merchant_id = a.merchant_id
      WHERE a.id = p_account_id AND s.role = 'owner' AND s.member_id <> p_member_id
    ) THEN
      applies_from := p_alone_from;
    END IF;
    UPDATE withdrawal_thresholds SET next_centavos = p_centavos, next_from = applies_from,
      proposed_by_id = p_member_id, proposed_at = p_now
    WHERE account_id = p_account_id AND kind = p_kind;
  END IF;
END $$;

-- Approves the proposal of p_centavos. Returns 'approved', 'none' (nothing waits for an approval),
-- 'changed' (another amount does) or 'own'; and what applied before.
CREATE FUNCTION withdrawal_threshold_approve(
  p_account_id uuid, p_kind text, p_member_id uuid, p_centavos bigint, p_now timestamptz,
  OUT outcome text, OUT centavos_before bigint
) LANGUAGE plpgsql AS $$
DECLARE
  v_row withdrawal_thresholds := withdrawal_threshold_lock(p_account_id, p_kind, p_now);
BEGIN
  centavos_before := v_row.centavos;
  outcome := CASE
    WHEN v_row.proposed_at IS NULL THEN 'none'
    WHEN v_row.next_centavos IS DISTINCT FROM p_centavos THEN 'changed'
    WHEN v_row.proposed_by_id = p_member_id THEN 'own'
    ELSE 'approved' END;
  IF outcome <> 'approved' THEN RETURN; END IF;
  UPDATE withdrawal_thresholds SET centavos = p_centavos, next_centavos = NULL, next_from = NULL,
    proposed_by_id = NULL, proposed_at = NULL
  WHERE account_id = p_account_id AND kind = p_kind;
END $$;
