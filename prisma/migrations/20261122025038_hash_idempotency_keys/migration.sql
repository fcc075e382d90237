-- Keys are kept as hashes. Those that are there are hashed here, so that none of their requests executes again; their answers are sealed
-- by the service when it starts. Their fingerprints are of another kind now: such a key repeated is refused (422).
UPDATE "idempotency_keys" SET "key" = encode(sha256(convert_to("account_id"::text || ' ' || "key", 'UTF8')), 'hex');
