-- The index of words knows the time: the same word is another key in each span of 28 days. A search
-- reads the newest span first and ends when it has enough, where it had read all that an account
-- ever had of a word. A longer span holds more of a frequent word; each further span makes the
-- search for a rare word longer, most of all while the index has a long pending list.
CREATE FUNCTION search_span(p_id uuid)
RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- The first 48 bits of a UUIDv7 are its time in milliseconds.
RETURN ('x' || left(replace(p_id::text, '-', ''), 12))::bit(48)::bigint / (28 * 24 * 3600 * 1000::bigint);

-- The keys of these tokens in a span. Null where there are none.
CREATE FUNCTION search_keys_of_span(p_tokens bigint[], p_span bigint)
RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT array_agg(hashint8extended(token, p_span)) FROM unnest(p_tokens) AS t (token);
END;

-- The keys of a transaction: of its words, and of the end of its id, which is how the panel names
-- it. The end of an id is the same key in every span, because few transactions share one.
CREATE FUNCTION search_keys(p_tokens bigint[], p_id uuid)
RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN search_keys_of_span(p_tokens, search_span(p_id)) || hashtextextended(right(p_id::text, 6), 0);

DROP INDEX transactions_search;
CREATE INDEX transactions_search ON transactions
  USING gin (search_keys(search_tokens, id))
  WITH (gin_pending_list_limit = 1024);
