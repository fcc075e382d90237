-- A member has one authenticator. Two that were being set up at once were both kept: which of them
-- a sign-in asked for changed with every write, and it could be the one that was never completed.

DELETE FROM two_factors WHERE id NOT IN (
  SELECT DISTINCT ON (member_id) id FROM two_factors
  ORDER BY member_id, coalesce(verified, true) DESC, id);
DROP INDEX two_factors_member_id_idx;
CREATE UNIQUE INDEX two_factors_member_id_key ON two_factors (member_id);
