-- A transaction is never changed before it was made. The overview and its totals look for the
-- charges that were made from an hour on among those that were changed from then on, since the
-- index is by change (ledger_write_totals): by a clock that was set back, one that ended before its
-- own beginning was in no hour, and the check found a total that nothing corrects.
CREATE FUNCTION transactions_change_after_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := NEW.created_at;
  RETURN NEW;
END $$;
CREATE TRIGGER transactions_changed_after_made BEFORE UPDATE OF updated_at ON transactions
  FOR EACH ROW WHEN (NEW.updated_at < NEW.created_at)
  EXECUTE FUNCTION transactions_change_after_made();
