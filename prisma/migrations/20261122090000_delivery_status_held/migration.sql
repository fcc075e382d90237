-- An event that has nowhere to go yet. A new value of an enum can't be used before it is committed: the next migration does.
ALTER TYPE "delivery_status" ADD VALUE 'held';
