-- The part of another account's charge that an account gets. A new value of an enum can't be used before it is committed: the next
-- migration does.
ALTER TYPE "transaction_type" ADD VALUE 'split_in';
