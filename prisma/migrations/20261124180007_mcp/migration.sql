-- Assistants (MCP): what a key may ask for at most, a call and a day, and withdrawals that wait
-- because an assistant asked for them. Processes of the version before make no such keys.

-- first_key_id: the first of the keys of which rotations made this one; null: it is that itself. A
-- rotation changes neither what was asked for today nor what an idempotency key stands for.
ALTER TABLE api_keys
  ADD COLUMN first_key_id uuid,
  ADD COLUMN call_cap_centavos bigint,
  ADD COLUMN day_cap_centavos bigint,
  -- What an assistant can be talked into has to be harmless, whoever made its key.
  ADD CONSTRAINT api_keys_assistant CHECK (
    NOT permissions && '{mcp:use,mcp:withdraw}'
    OR permissions @> '{mcp:use}'
      AND permissions <@ '{mcp:use,mcp:withdraw,charges:write,transactions:read,balance:read}'),
  ADD CONSTRAINT api_keys_caps CHECK (
    num_nonnulls(call_cap_centavos, day_cap_centavos)
      = CASE WHEN permissions @> '{mcp:withdraw}' THEN 2 ELSE 0 END
    AND call_cap_centavos > 0 AND day_cap_centavos >= call_cap_centavos);

-- assistant_id: the first key (api_keys.first_key_id) of the assistant that asked; null: none did.
ALTER TABLE withdrawal_approvals
  ADD COLUMN assistant_id uuid,
  ADD COLUMN asked_at timestamptz(3),
  ADD CONSTRAINT withdrawal_approvals_assistant
    CHECK (num_nonnulls(assistant_id, asked_at) IN (0, 2));
-- Others cost no entry.
CREATE INDEX withdrawal_approvals_assistant_id ON withdrawal_approvals (assistant_id, asked_at)
  WHERE assistant_id IS NOT NULL;

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

-- withdrawal_request (see 20261122162003_withdrawals) where an assistant asks: within the caps of
-- its key, and never sent before a member has confirmed it. Returns 'key_call_cap' or 'key_day_cap'
-- where it asks for more, a call or a day.
CREATE OR REPLACE FUNCTION withdrawal_request(
  p_row jsonb, p_day_start timestamptz, p_day_end timestamptz, p_night_start timestamptz,
  p_night_end timestamptz, p_key_id uuid, p_member_id uuid, p_approve_until timestamptz,
  p_pix_key_indexes bytea[], p_network text, p_wallets text[], p_hold boolean
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_begins boolean := v_tx.begun_at IS NOT NULL;
  v_now timestamptz := coalesce(v_tx.begun_at, v_tx.created_at);
  v_rail text := CASE v_tx.type WHEN 'pix_out' THEN 'pix' WHEN 'crypto_out' THEN 'crypto' END;
  v_balance bigint;
  v_reached limit_period;
  v_block_reason text;
  v_waits boolean;
  -- The key of an assistant; null: none asks.
  v_key api_keys;
  v_assistant_id uuid;
BEGIN
  SELECT balance_centavos INTO STRICT v_balance FROM ledger_accounts
  WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;

  IF NOT v_begins AND EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN
    RETURN 'exists';
  END IF;

  v_block_reason :=
    money_out_block_reason(v_tx.account_id, p_key_id, p_member_id, true, v_now);
  -- What is planned has to be allowed when it begins, and is looked at again then.
  v_block_reason := coalesce(v_block_reason, payee_block_reason(v_tx, p_pix_key_indexes, p_network,
    p_wallets, CASE WHEN v_begins THEN v_now ELSE coalesce(v_tx.scheduled_for, v_now) END));
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;

  SELECT * INTO v_key FROM api_keys WHERE id = p_key_id AND permissions @> '{mcp:use}';
  v_assistant_id := coalesce(v_key.first_key_id, v_key.id);
  IF v_assistant_id IS NOT NULL THEN
    -- Without a cap it may ask for nothing.
    IF v_tx.amount_centavos > coalesce(v_key.call_cap_centavos, 0) THEN RETURN 'key_call_cap'; END IF;
    -- Without a day, which a withdrawal that is planned has not, nothing is asked for.
    IF p_day_start IS NULL OR v_tx.amount_centavos
      + assistant_asked_centavos(v_assistant_id, p_day_start) > v_key.day_cap_centavos
    THEN
      RETURN 'key_day_cap';
    END IF;
  END IF;

  SELECT counted.period INTO v_reached
  FROM (VALUES ('day'::limit_period, 'daily_limit_out_' || v_rail, p_day_start),
      ('night', 'night_limit_out_' || v_rail, p_night_start)) AS counted (period, name, starts_at)
    JOIN effective_limits(v_tx.account_id) AS allowed ON allowed.name = counted.name
    LEFT JOIN limit_usage AS used ON used.account_id = v_tx.account_id AND used.type = v_tx.type
      AND used.period = counted.period AND used.starts_at = counted.starts_at
  WHERE counted.starts_at IS NOT NULL
    AND coalesce(used.centavos, 0) + v_tx.amount_centavos > allowed.centavos
  ORDER BY counted.period LIMIT 1;
  IF v_reached = 'day' THEN RETURN 'daily_limit'; END IF;
  IF v_reached = 'night' THEN RETURN 'night_limit'; END IF;

  IF p_hold AND v_tx.net_centavos + v_tx.fee_centavos > v_balance THEN
    RETURN 'insufficient_funds';
  END IF;

  IF v_begins THEN
    UPDATE transactions SET sub_status = NULL, begun_at = v_now, updated_at = v_now
    WHERE id = v_tx.id;
  ELSE
    v_waits := v_tx.amount_centavos > withdrawal_threshold(v_tx.account_id, 'approval', v_now);
    IF v_waits THEN v_waits := NOT payout_batch_is_approved(v_tx); END IF;
    IF v_waits OR v_assistant_id IS NOT NULL THEN
      v_tx.sub_status := 'pending_approval';
    ELSIF v_tx.scheduled_for IS NOT NULL THEN
      v_tx.sub_status := 'scheduled';
    END IF;
    INSERT INTO transactions SELECT (v_tx).*;
  END IF;
  IF p_hold THEN PERFORM ledger_withdrawal_requested(v_tx.id, v_now); END IF;
  INSERT INTO limit_usage AS used (account_id, type, period, starts_at, ends_at, centavos)
  SELECT v_tx.account_id, v_tx.type, period, starts_at, ends_at, v_tx.amount_centavos
  FROM (VALUES ('day'::limit_period, p_day_start, p_day_end), ('night', p_night_start, p_night_end))
    AS counted (period, starts_at, ends_at)
  WHERE starts_at IS NOT NULL
  ON CONFLICT (account_id, type, period, starts_at)
    DO UPDATE SET centavos = used.centavos + excluded.centavos;
  IF v_tx.sub_status = 'pending_approval' THEN
    PERFORM approval_begin(v_tx.id, p_key_id, p_member_id, p_approve_until, v_now);
    -- What waits only because an assistant asked for it has been asked for by no member: who made
    -- its key may confirm it.
    UPDATE withdrawal_approvals SET assistant_id = v_assistant_id, asked_at = v_now,
      asker_ids = CASE WHEN v_waits THEN asker_ids ELSE '{}' END
    WHERE transaction_id = v_tx.id AND v_assistant_id IS NOT NULL;
  END IF;
  IF v_tx.sub_status IS NOT NULL THEN RETURN v_tx.sub_status; END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, v_now);
  RETURN 'requested';
END $$;
