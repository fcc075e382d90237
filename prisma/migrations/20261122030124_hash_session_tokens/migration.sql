-- Session tokens are kept as hashes; those that are there are hashed here, so that everybody stays signed in. Links that were sent, and
-- sign-ins that wait for their second factor, live for an hour at most: they are asked for again.
UPDATE "sessions" SET "token" = encode(sha256(convert_to("token", 'UTF8')), 'hex');
DELETE FROM "login_tokens";
