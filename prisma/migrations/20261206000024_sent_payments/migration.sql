-- A payment that was sent is a withdrawal's or left without a request, never both: whoever books it
-- as one waits for who books it as the other, and sees that then.

-- A withdrawal gets the end-to-end id of its payment. What is read after that, in statements of
-- their own, is what was booked of the payment before (payout_settled_from, payout_review).
CREATE FUNCTION transactions_lock_sent_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.end_to_end_id, 0));
  RETURN NEW;
END $$;
CREATE TRIGGER transactions_sent_payment BEFORE UPDATE OF end_to_end_id ON transactions
  FOR EACH ROW
  WHEN (NEW.type = 'pix_out' AND NEW.end_to_end_id IS DISTINCT FROM OLD.end_to_end_id)
  EXECUTE FUNCTION transactions_lock_sent_payment();

-- As before, but for the lock, which was taken only where an account has several credentials.
CREATE OR REPLACE FUNCTION foreign_payout_record(p_row jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_new foreign_payouts := jsonb_populate_record(NULL::foreign_payouts, p_row);
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  -- That of transactions_sent_payment. Two rails may list it at once, too.
  PERFORM pg_advisory_xact_lock(hashtextextended(v_new.end_to_end_id, 0));
  IF EXISTS (SELECT FROM transactions
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id AND type = 'pix_out')
    OR EXISTS (SELECT FROM foreign_payouts
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id)
  THEN
    RETURN false;
  END IF;
  INSERT INTO foreign_payouts (id, rail, mode, account_id, end_to_end_id, centavos, sent_at,
    created_at)
  VALUES (v_new.id, v_new.rail, v_new.mode, v_new.account_id, v_new.end_to_end_id, v_new.centavos,
    v_new.sent_at, v_new.created_at)
  ON CONFLICT (end_to_end_id, rail) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  RETURN ledger_post_unmatched('foreign_payout', v_new.id::text, v_new.created_at,
    ARRAY[ledger_platform_account('suspense', v_new.mode),
          ledger_platform_account('pix_settlement', v_new.mode)],
    ARRAY[-v_new.centavos, v_new.centavos]);
END $$;
