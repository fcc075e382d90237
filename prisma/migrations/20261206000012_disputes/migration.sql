-- Disputes: what a payer contests by the central bank's return mechanism (MED 2.0). While a case is
-- open its money is held; a case that is lost ends with a devolução, which the PSP makes.

CREATE TYPE dispute_state AS ENUM ('open', 'answered', 'won', 'lost', 'cancelled', 'returned');
CREATE TYPE dispute_answer AS ENUM ('agree', 'contest');

CREATE TABLE disputes (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  transaction_id uuid NOT NULL REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  provider_id text,
  reason text NOT NULL,
  centavos bigint NOT NULL,
  held_centavos bigint NOT NULL DEFAULT 0,
  returned_centavos bigint NOT NULL DEFAULT 0,
  state dispute_state NOT NULL DEFAULT 'open',
  opened_at timestamptz(3) NOT NULL,
  answer_by timestamptz(3) NOT NULL,
  answer dispute_answer,
  answer_text text,
  answered_by text,
  answered_at timestamptz(3),
  answer_asked_at timestamptz(3),
  answer_sent_at timestamptz(3),
  answer_rejection text,
  payer_document text,
  payer_document_index bytea,
  closed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT disputes_amounts CHECK (
    centavos > 0 AND held_centavos BETWEEN 0 AND centavos AND returned_centavos >= 0),
  CONSTRAINT disputes_held CHECK (held_centavos = 0 OR state IN ('open', 'answered', 'lost')),
  CONSTRAINT disputes_answered CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CONSTRAINT disputes_answer_sent CHECK (num_nonnulls(answer_sent_at, answer_rejection) <= 1
    AND (answer IS NOT NULL OR num_nonnulls(answer_asked_at, answer_sent_at, answer_rejection) = 0)),
  CONSTRAINT disputes_payer CHECK ((payer_document IS NULL) = (payer_document_index IS NULL))
);
CREATE UNIQUE INDEX disputes_provider_id_key ON disputes (provider_id);
CREATE INDEX disputes_account_id_id_idx ON disputes (account_id, id);
CREATE INDEX disputes_transaction_id_idx ON disputes (transaction_id);
-- The ledger check compares what is held with what is blocked.
CREATE INDEX disputes_open ON disputes (account_id) WHERE state IN ('open', 'answered', 'lost');
-- Their devolução is to come.
CREATE INDEX disputes_lost ON disputes (closed_at) WHERE state = 'lost';
-- What an account has lost by a payer, whom it may meet again.
CREATE INDEX disputes_lost_or_returned ON disputes (account_id, closed_at)
  WHERE state IN ('lost', 'returned');

-- Whether a payment is contested: its merchant may not give it back as well, or it would be paid
-- twice.
CREATE FUNCTION is_disputed(p_transaction_id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM disputes
    WHERE transaction_id = p_transaction_id AND state IN ('open', 'answered', 'lost'))
$$;

-- Has the pages that show a payment show its case: they follow what has changed last.
CREATE FUNCTION dispute_show(p_transaction_id uuid, p_now timestamptz) RETURNS void LANGUAGE sql
AS $$
  UPDATE transactions SET updated_at = greatest(updated_at, p_now) WHERE id = p_transaction_id
$$;

-- Opens a case and holds its money: what of it the account has, and no more than the payment has
-- left. `p_row` is its row of `disputes`; its state is what the PSP says has become of it. Returns
-- 'opened', 'linked' (it is a case that was written without the PSP's id: the operator entered it,
-- or its devolução was seen first, and the PSP may not have closed it yet), 'known' (another case
-- of this payment is open, or the PSP's id is known) or 'not_paid'. A case that was opened before a
-- devolução is that of the devolução; one that is opened afterwards is another one.
CREATE FUNCTION dispute_open(
  p_row jsonb, p_by jsonb, p_now timestamptz, p_event_id uuid, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new disputes := jsonb_populate_record(NULL::disputes, p_row);
  v_tx transactions := ledger_lock_transaction(v_new.transaction_id, '{pix_in}');
  v_held bigint;
  v_linked disputes;
BEGIN
  IF v_tx.status NOT IN ('paid', 'refunded') THEN RETURN 'not_paid'; END IF;
  IF EXISTS (SELECT FROM disputes WHERE provider_id = v_new.provider_id) THEN RETURN 'known'; END IF;
  IF v_new.provider_id IS NOT NULL THEN
    UPDATE disputes SET provider_id = v_new.provider_id WHERE id = (
      SELECT id FROM disputes WHERE transaction_id = v_tx.id AND provider_id IS NULL
        AND (state IN ('open', 'answered', 'lost')
          OR state = 'returned' AND v_new.state = 'lost' AND answer IS NULL
          OR state = 'returned' AND v_new.opened_at <= opened_at)
      ORDER BY closed_at DESC LIMIT 1)
    RETURNING * INTO v_linked;
    IF v_linked.state = 'answered' THEN PERFORM dispute_plan_answer(v_linked, p_now); END IF;
    IF v_linked.id IS NOT NULL THEN
      -- One that its devolução has made says what the PSP says of it.
      UPDATE disputes d SET reason = v_new.reason,
        centavos = greatest(v_new.centavos, returned_centavos),
        opened_at = least(v_new.opened_at, opened_at)
      WHERE id = v_linked.id AND EXISTS (SELECT FROM foreign_refunds f WHERE f.id = d.id);
      PERFORM dispute_show(v_tx.id, p_now);
      RETURN 'linked';
    END IF;
  END IF;
  IF is_disputed(v_tx.id) THEN RETURN 'known'; END IF;
  SELECT greatest(least(balance_centavos, v_new.centavos, ledger_returnable(v_tx)), 0) INTO v_held
  FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  INSERT INTO disputes (id, account_id, transaction_id, provider_id, reason, centavos,
    held_centavos, opened_at, answer_by, payer_document, payer_document_index, created_at)
  VALUES (v_new.id, v_tx.account_id, v_tx.id, v_new.provider_id, v_new.reason, v_new.centavos,
    v_held, v_new.opened_at, v_new.answer_by, v_new.payer_document, v_new.payer_document_index,
    p_now);
  IF v_held > 0 THEN PERFORM ledger_dispute(v_tx.id, v_new.id::text, v_held, p_now); END IF;
  PERFORM dispute_show(v_tx.id, p_now);
  INSERT INTO tasks (kind, subject_id, due_at)
  VALUES ('dispute_reminder', v_new.id, v_new.opened_at + (v_new.answer_by - v_new.opened_at) / 2),
    ('notify_dispute', v_new.id, p_now);
  PERFORM audit_decision(v_tx.account_id, 'dispute.opened', jsonb_build_object('subject', v_tx.id,
    'dispute_id', v_new.id, 'centavos', v_new.centavos, 'held_centavos', v_held), p_by, p_now);
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'dispute.opened', p_event_body, p_now);
  RETURN 'opened';
END $$;

-- Writes the merchant's answer to a case. Returns 'answered', 'decided' (it waits for none) or
-- 'too_late'.
CREATE FUNCTION dispute_write_answer(
  p_id uuid, p_answer dispute_answer, p_text text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
BEGIN
  -- First, as whatever else changes a case: two that wait for each other would end in an error.
  PERFORM ledger_lock_transaction(
    (SELECT transaction_id FROM disputes WHERE id = p_id), '{pix_in}');
  SELECT * INTO STRICT v_dispute FROM disputes WHERE id = p_id FOR UPDATE;
  IF v_dispute.state <> 'open' THEN RETURN 'decided'; END IF;
  IF p_now > v_dispute.answer_by THEN RETURN 'too_late'; END IF;
  UPDATE disputes SET state = 'answered', answer = p_answer, answer_text = p_text,
    answered_by = p_by ->> 'name', answered_at = p_now WHERE id = p_id;
  PERFORM dispute_show(v_dispute.transaction_id, p_now);
  DELETE FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = p_id;
  PERFORM dispute_plan_answer(v_dispute, p_now);
  PERFORM audit_decision(v_dispute.account_id, 'dispute.answered', jsonb_build_object(
    'subject', v_dispute.transaction_id, 'dispute_id', p_id, 'answer', p_answer), p_by, p_now);
  RETURN 'answered';
END $$;

-- Has an answer sent to the PSP, where the PSP has said its id of the case; else the operator
-- forwards it.
CREATE FUNCTION dispute_plan_answer(p_dispute disputes, p_now timestamptz) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT 'send_dispute_answer', p_dispute.id, p_now WHERE p_dispute.provider_id IS NOT NULL
  ON CONFLICT DO NOTHING
$$;

-- Notes what became of an answer at the PSP: it was taken, or it was not, for p_rejection; then it
-- may be taken yet, when somebody brings it there. Returns false when that is noted already.
CREATE FUNCTION dispute_note_answer(p_id uuid, p_rejection text, p_by jsonb, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
BEGIN
  UPDATE disputes SET answer_rejection = p_rejection,
    answer_sent_at = CASE WHEN p_rejection IS NULL THEN p_now END
  WHERE id = p_id AND answer IS NOT NULL AND answer_sent_at IS NULL
    AND (answer_rejection IS NULL OR p_rejection IS NULL)
  RETURNING * INTO v_dispute;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM audit_decision(v_dispute.account_id,
    CASE WHEN p_rejection IS NULL THEN 'dispute.answer_sent' ELSE 'dispute.answer_rejected' END,
    jsonb_build_object('subject', v_dispute.transaction_id, 'dispute_id', p_id)
      || CASE WHEN p_rejection IS NULL THEN '{}' ELSE jsonb_build_object('reason', p_rejection) END,
    p_by, p_now);
  RETURN true;
END $$;

-- Emits the event that a case still waits for an answer. The task that reminds is planned for
-- p_next, or ends where that is null, with the event: a worker that dies right after it has sent
-- one event. Returns false, with nothing done, where the case waits for no answer, and where the
-- task is not claimed until p_lease_until any more.
CREATE FUNCTION dispute_remind(
  p_id uuid, p_lease_until timestamptz, p_next timestamptz, p_now timestamptz, p_event_id uuid,
  p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  -- First, as whatever else ends the task: two that wait for each other would end in an error.
  SELECT x.* INTO v_tx FROM disputes d JOIN transactions x ON x.id = d.transaction_id
  WHERE d.id = p_id AND d.state = 'open' AND d.answer_by > p_now FOR UPDATE OF x;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_next IS NULL THEN
    DELETE FROM tasks
    WHERE kind = 'dispute_reminder' AND subject_id = p_id AND due_at = p_lease_until;
  ELSE
    UPDATE tasks SET due_at = p_next, attempts = 0, last_error = NULL
    WHERE kind = 'dispute_reminder' AND subject_id = p_id AND due_at = p_lease_until;
  END IF;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'dispute.due_soon', p_event_body, p_now);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('notify_dispute', p_id, p_now)
  ON CONFLICT DO NOTHING;
  RETURN true;
END $$;

-- The deadline of a case is its PSP's. One that an operator enters has another one until the PSP
-- lists the case, and a PSP may extend its own. Gives a case that has not ended the deadline of its
-- PSP, and plans its next reminder for p_remind_at; null: there is none. Returns false, with
-- nothing done, where the case has ended or has that deadline.
CREATE FUNCTION dispute_move_deadline(
  p_id uuid, p_answer_by timestamptz, p_remind_at timestamptz, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
BEGIN
  -- First, as whatever else changes a case: two that wait for each other would end in an error.
  PERFORM ledger_lock_transaction(
    (SELECT transaction_id FROM disputes WHERE id = p_id), '{pix_in}');
  UPDATE disputes SET answer_by = p_answer_by
  WHERE id = p_id AND state IN ('open', 'answered') AND answer_by <> p_answer_by
  RETURNING * INTO v_dispute;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT 'dispute_reminder', p_id, p_remind_at
  WHERE v_dispute.state = 'open' AND p_remind_at IS NOT NULL
  ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at;
  PERFORM dispute_show(v_dispute.transaction_id, p_now);
  RETURN true;
END $$;

-- Ends a case: 'won' and 'cancelled' give the held money back; 'lost' keeps it until the devolução
-- comes, or until it is decided otherwise. Returns 'closed', or 'decided' when it is not p_from any
-- more.
CREATE FUNCTION dispute_close(
  p_id uuid, p_from dispute_state, p_to dispute_state, p_by jsonb, p_now timestamptz,
  p_event_id uuid, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_tx transactions;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM disputes WHERE id = p_id), '{pix_in}');
  SELECT * INTO STRICT v_dispute FROM disputes WHERE id = p_id FOR UPDATE;
  IF v_dispute.state <> p_from THEN RETURN 'decided'; END IF;
  IF p_from NOT IN ('open', 'answered', 'lost') OR p_to NOT IN ('won', 'lost', 'cancelled')
    OR p_from = p_to
  THEN
    RAISE EXCEPTION 'A dispute that is % does not become %.', p_from, p_to USING ERRCODE = 'TR004';
  END IF;
  IF p_to <> 'lost' THEN PERFORM ledger_dispute_released(v_dispute, p_now); END IF;
  UPDATE disputes SET state = p_to, closed_at = p_now,
    held_centavos = CASE WHEN p_to = 'lost' THEN held_centavos ELSE 0 END
  WHERE id = p_id;
  DELETE FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = p_id;
  PERFORM dispute_show(v_tx.id, p_now);
  PERFORM audit_decision(v_dispute.account_id, 'dispute.closed', jsonb_build_object(
    'subject', v_tx.id, 'dispute_id', p_id, 'outcome', p_to), p_by, p_now);
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'dispute.closed', p_event_body, p_now);
  RETURN 'closed';
END $$;

-- What a case holds goes back: blocked -> available.
CREATE FUNCTION ledger_dispute_released(p_dispute disputes, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_dispute.held_centavos = 0 THEN RETURN; END IF;
  PERFORM ledger_post(p_dispute.transaction_id, 'dispute_released', p_dispute.id::text, p_now,
    ARRAY[ledger_account(p_dispute.account_id, 'blocked'),
          ledger_account(p_dispute.account_id, 'available')],
    ARRAY[-p_dispute.held_centavos, p_dispute.held_centavos]);
END $$;

-- Takes from what an open case of a payment holds as much of a devolução as exceeds what else of
-- the payment is left: that can't be contested any more. A payment that is contested may go back in
-- the bank's application all the same. Returns how much.
CREATE FUNCTION ledger_dispute_covered(p_refund foreign_refunds, p_tx transactions) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_covered bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  v_covered := least(v_dispute.held_centavos,
    greatest(p_refund.centavos - greatest(ledger_returnable(p_tx), 0), 0));
  UPDATE disputes SET held_centavos = held_centavos - v_covered WHERE id = v_dispute.id;
  RETURN v_covered;
END $$;

-- A case holds what is contested without what a refund holds that is on its way. Where that refund
-- fails, its money is contested, too, and is held.
CREATE FUNCTION ledger_dispute_failed_refund(
  p_tx transactions, p_refund refunds, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_held bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT least(p_refund.centavos, v_dispute.centavos - v_dispute.held_centavos, balance_centavos,
    ledger_returnable(p_tx)) INTO v_held
  FROM ledger_accounts WHERE account_id = p_tx.account_id AND kind = 'available' FOR UPDATE;
  IF v_held <= 0 THEN RETURN; END IF;
  PERFORM ledger_dispute(p_tx.id, v_dispute.id || ' ' || p_refund.id, v_held, p_now);
  UPDATE disputes SET held_centavos = held_centavos + v_held WHERE id = v_dispute.id;
END $$;

-- A devolução of the return mechanism that was made at p_at: what the payment's case holds pays it
-- first, then the account. The case ends with it, and the rest of what it holds goes back. One
-- without a case opens one that is over, of that time. A payer's money may come back in parts: of a
-- payment whose last case has ended with a devolução, another one belongs to that case, as long as
-- no more goes back than is contested. What is contested by a case that no PSP has listed is what
-- went back. Returns what the case has held of it.
CREATE FUNCTION ledger_dispute_returned(
  p_refund foreign_refunds, p_tx transactions, p_at timestamptz, p_now timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_taken bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN
    SELECT * INTO v_dispute FROM disputes WHERE transaction_id = p_tx.id
    ORDER BY id DESC LIMIT 1 FOR UPDATE;
    v_dispute.returned_centavos := v_dispute.returned_centavos + p_refund.centavos;
    IF v_dispute.state = 'returned' AND (v_dispute.returned_centavos <= v_dispute.centavos
      OR v_dispute.provider_id IS NULL
        AND EXISTS (SELECT FROM foreign_refunds WHERE id = v_dispute.id))
    THEN
      UPDATE disputes SET returned_centavos = v_dispute.returned_centavos,
        centavos = greatest(centavos, v_dispute.returned_centavos) WHERE id = v_dispute.id;
      RETURN 0;
    END IF;
    INSERT INTO disputes (id, account_id, transaction_id, reason, centavos, returned_centavos,
      state, opened_at, answer_by, closed_at, created_at)
    VALUES (p_refund.id, p_tx.account_id, p_tx.id, 'unknown', p_refund.centavos, p_refund.centavos,
      'returned', p_at, p_at, p_now, p_now);
    RETURN 0;
  END IF;
  v_taken := least(v_dispute.held_centavos, p_refund.centavos);
  v_dispute.held_centavos := v_dispute.held_centavos - v_taken;
  PERFORM ledger_dispute_released(v_dispute, p_now);
  UPDATE disputes SET state = 'returned', held_centavos = 0, closed_at = coalesce(closed_at, p_now),
    returned_centavos = p_refund.centavos WHERE id = v_dispute.id;
  DELETE FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = v_dispute.id;
  RETURN v_taken;
END $$;

-- Evidence ----------------------------------------------------------------------------------------

-- Evidence that a merchant hands in with the answer to a dispute: files, sealed. They can be added
-- and taken back as long as the case waits for the answer; with it they stay as they are.

CREATE TABLE dispute_files (
  id uuid PRIMARY KEY,
  dispute_id uuid NOT NULL REFERENCES disputes (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  file_name text NOT NULL,
  media_type text NOT NULL,
  bytes integer NOT NULL,
  sealed bytea NOT NULL,
  uploaded_at timestamptz(3) NOT NULL
);
CREATE INDEX dispute_files_dispute_id_idx ON dispute_files (dispute_id);

-- Locks a case that waits for its answer. Returns false when it does not.
CREATE FUNCTION dispute_lock_awaited(p_id uuid, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM disputes WHERE id = p_id AND state = 'open' AND answer_by >= p_now FOR UPDATE;
  RETURN FOUND;
END $$;

-- Keeps a file: `p_row` is its row of `dispute_files` without the sealed bytes. Of any number at
-- once none passes p_max. Returns 'stored', 'decided' (the case waits for no answer) or 'too_many'.
CREATE FUNCTION dispute_add_file(p_row jsonb, p_sealed bytea, p_max integer, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new dispute_files := jsonb_populate_record(NULL::dispute_files, p_row);
BEGIN
  IF NOT dispute_lock_awaited(v_new.dispute_id, p_now) THEN RETURN 'decided'; END IF;
  IF (SELECT count(*) FROM dispute_files WHERE dispute_id = v_new.dispute_id) >= p_max THEN
    RETURN 'too_many';
  END IF;
  INSERT INTO dispute_files (id, dispute_id, file_name, media_type, bytes, sealed, uploaded_at)
  VALUES (v_new.id, v_new.dispute_id, v_new.file_name, v_new.media_type, v_new.bytes, p_sealed,
    p_now);
  RETURN 'stored';
END $$;

-- Takes a file back. Returns 'removed', 'decided' or 'unknown' (the case has no such file).
CREATE FUNCTION dispute_remove_file(p_id uuid, p_dispute_id uuid, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF NOT dispute_lock_awaited(p_dispute_id, p_now) THEN RETURN 'decided'; END IF;
  DELETE FROM dispute_files WHERE id = p_id AND dispute_id = p_dispute_id;
  RETURN CASE WHEN FOUND THEN 'removed' ELSE 'unknown' END;
END $$;
