/**
 * What the service asks of the outside world, in its own words. Adapters translate a provider's protocol into these
 * outcomes; nothing outside `rails/` knows a provider's vocabulary.
 */

/**
 * The end of one call to a provider.
 * - `done`: the provider answered and did it.
 * - `refused`: the provider answered and did not do it; asking again with the same input would be refused again.
 * - `unknown`: nobody can say (time-out, 5xx, broken answer); ask what became of it before doing anything else.
 *
 * `reason` is for the log and the operator, never for the wire.
 */
export type Outcome<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unknown'; reason: string };

/** A charge to be created at the PSP. Asking twice with one txid is safe. */
export type PixChargeRequest = {
  /** 26 to 35 of [a-zA-Z0-9]; ours is the transaction id's 32 hex characters. */
  txid: string;
  amountCentavos: bigint;
  expiresInSeconds: number;
  payer: { name: string; document: string; documentType: 'cpf' | 'cnpj' } | null;
  /** Shown to the payer; cut to the rail's length by the adapter. */
  description: string | null;
};

/** A payment the PSP received. */
export type PixPayment = {
  /** E + ISPB + yyyyMMddHHmm + 11, 32 characters. */
  endToEndId: string;
  /** The charge it paid; null for a payment without one. */
  txid: string | null;
  amountCentavos: bigint;
  paidAt: Date;
};

/** The PSP's own record of a charge. Expiry is not a status there: derive it from createdAt + expiresInSeconds. */
export type PixCharge = {
  txid: string;
  status: 'active' | 'paid' | 'cancelled';
  amountCentavos: bigint;
  /** The copy-and-paste code; null when the PSP's answer carries none. */
  brCode: string | null;
  createdAt: Date;
  expiresInSeconds: number;
  payments: PixPayment[];
};

/** What a callback claims. It is a hint only: the truth is asked for with findCharge or findPayment. */
export type PixNotice = { endToEndId: string; txid: string | null };

/** PIX in. One instance speaks to one PSP with one set of credentials. */
export type PixRail = {
  /** Kept with every transaction, e.g. `sandbox`, `psp`. */
  readonly name: string;
  createCharge(request: PixChargeRequest): Promise<Outcome<PixCharge>>;
  /** `done` with null: the PSP knows no such charge. */
  findCharge(txid: string): Promise<Outcome<PixCharge | null>>;
  /** `done` with null: the PSP knows no such payment. */
  findPayment(endToEndId: string): Promise<Outcome<PixPayment | null>>;
  /** Tells the PSP where to call back; it appends `/pix` to the URL. */
  registerWebhook(webhookUrl: string): Promise<Outcome<null>>;
  /** Reads a callback's body; null when it is not one. Never throws. */
  parseCallback(body: string): PixNotice[] | null;
  close(): Promise<void>;
};
