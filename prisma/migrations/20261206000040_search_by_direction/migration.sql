-- The index of words knows which way the money goes: a word of money that comes in is another key
-- than the same word of a withdrawal. Names of customers are in charges alone, and a search for one
-- of them among withdrawals read every charge that has it.
DROP INDEX transactions_search;
DROP FUNCTION search_keys(bigint[], uuid);
DROP FUNCTION search_keys_of_span(bigint[], bigint);

-- The keys of these tokens in a span, of withdrawals or of all other transactions. Null where there
-- are none.
CREATE FUNCTION search_keys_of_span(p_tokens bigint[], p_span bigint, p_is_withdrawal boolean)
RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT array_agg(hashint8extended(token, 2 * p_span + p_is_withdrawal::integer)) FROM unnest(p_tokens) AS t (token);
END;

-- The keys of a transaction: of its words, and of the end of its id, which is how the panel names
-- it. The end of an id is the same key everywhere, because few transactions share one.
CREATE FUNCTION search_keys(p_tokens bigint[], p_id uuid, p_type transaction_type)
RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN search_keys_of_span(p_tokens, search_span(p_id), p_type IN ('pix_out', 'crypto_out'))
  || hashtextextended(right(p_id::text, 6), 0);

CREATE INDEX transactions_search ON transactions
  USING gin (search_keys(search_tokens, id, type))
  WITH (gin_pending_list_limit = 1024);
