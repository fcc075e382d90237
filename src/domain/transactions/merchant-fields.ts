import type { Metadata } from './metadata.ts';

/** A merchant's own fields of a transaction or a refund. */
export type MerchantFields = {
  /** Its own name for it, e.g. the number of an order. */
  reference: string | null;
  /** Whether it is rejected where something else of the account has this reference. */
  referenceUnique: boolean;
  /** `null`: none; never an empty object. */
  metadata: Metadata | null;
};

export const NO_MERCHANT_FIELDS: MerchantFields = { reference: null, referenceUnique: false, metadata: null };
