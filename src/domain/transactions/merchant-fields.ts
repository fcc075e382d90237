import type { Metadata } from './metadata.ts';

/** What a merchant says of a transaction or a refund for its own use. */
export type MerchantFields = {
  /** Its own name for it, e.g. the number of an order. */
  reference: string | null;
  /** Whether it is rejected where something else of the account has this reference. */
  referenceUnique: boolean;
  /** Null: none; never empty. */
  metadata: Metadata | null;
};

export const NO_MERCHANT_FIELDS: MerchantFields = { reference: null, referenceUnique: false, metadata: null };
