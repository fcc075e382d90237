import type { DisputeAnswer, DisputeReason } from '#domain/disputes/dispute-states.ts';
import type { Asset, CurrencyCode } from '#domain/quotes/currencies.ts';

/**
 * What the service needs from providers, in the domain's terms. Adapters translate a provider's
 * protocol into these outcomes; nothing outside `rails/` knows a provider's vocabulary.
 */

/**
 * The end of one call to a provider.
 * - `done`: the provider answered and did it.
 * - `rejected`: the provider answered and did not do it; asking again with the same input would be
 *   rejected again.
 * - `unknown`: the outcome is not known (time-out, 5xx, broken response); query it before doing
 *   anything else.
 *
 * `reason` is for the log and the operator, never for the wire.
 */
export type Outcome<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unknown'; reason: string };

/** A charge to be created at the PSP. It is safe to create it twice with one txid. */
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
  /** What the payer wrote. */
  payerNote: string | null;
  /** What went back to the payer, whoever asked for it. */
  refunds: PixPaymentRefund[];
};

/** A devolução as it is listed with its payment. */
export type PixPaymentRefund = {
  /** Ours is a refund's 32 hex characters; another one was made by somebody else. */
  refundId: string;
  /** `null` where the PSP does not say. */
  returnId: string | null;
  amountCentavos: bigint;
  /** Whether the money has gone back; `false` while it is under way, and where it failed. */
  completed: boolean;
  /** By the central bank's return mechanism (MED), or by somebody at the PSP. */
  kind: 'made_at_bank' | 'med_return';
  /** When it was settled, or else asked for; the payment's own time where the PSP says neither. */
  at: Date;
};

/** A page of the payments that a PSP received in a period, by the time of the payment. */
export type PixPaymentsQuery = {
  from: Date;
  to: Date;
  /** From 0. */
  page: number;
  /** Only payments of which something went back. */
  refundedOnly: boolean;
};

export type PixPaymentsPage = {
  payments: PixPayment[];
  /**
   * The number of entries, and of refunds that went back, that are not as the standard has them;
   * they are left out.
   */
  unreadable: number;
  hasMore: boolean;
};

/**
 * The PSP's own record of a charge. Expiry is not a status there: derive it from createdAt +
 * expiresInSeconds.
 */
export type PixCharge = {
  txid: string;
  /**
   * `null`: a state that the adapter does not know, or one with a payment that can't be read; what
   * is listed as paid is paid all the same.
   */
  status: 'active' | 'paid' | 'cancelled' | null;
  amountCentavos: bigint;
  /** The copy-and-paste code; null when the PSP's answer carries none. */
  brCode: string | null;
  /** `null`, as the next, where it can't be read: whether the charge is paid depends on neither. */
  createdAt: Date | null;
  expiresInSeconds: number | null;
  payments: PixPayment[];
};

/**
 * What a callback claims. It is an untrusted notification: the state is read by findCharge,
 * findPayment, findPayout or findRefund.
 */
export type PixNotice =
  | { about: 'payment'; endToEndId: string; txid: string | null }
  | { about: 'refund'; endToEndId: string; refundId: string }
  | { about: 'payout'; payoutId: string };

/**
 * A devolução of a payment that we received, in full or in part. It is safe to request it twice
 * with one `refundId`.
 */
export type PixRefundRequest = {
  endToEndId: string;
  /** 1 to 35 of [a-zA-Z0-9]; ours is the refund id's 32 hex characters. */
  refundId: string;
  amountCentavos: bigint;
  description: string | null;
};

/** API Pix: EM_PROCESSAMENTO, DEVOLVIDO, NAO_REALIZADO. */
export type PixRefund = {
  refundId: string;
  status: 'processing' | 'completed' | 'failed';
  amountCentavos: bigint;
  /** The return's own id at the central bank (`rtrId`), D + 31. */
  returnId: string | null;
  /** Why it failed, in the PSP's words; for the log. */
  reason: string | null;
};

/** A PIX to be sent. */
export type PixPayoutRequest = {
  /**
   * 1 to 35 of [a-zA-Z0-9]; ours is the transaction id's 32 hex characters. A PSP pays one id once.
   */
  payoutId: string;
  amountCentavos: bigint;
  /** Normalised as DICT has it (rails.md 4.4). */
  pixKey: string;
  description: string | null;
};

/**
 * The owner of a PIX key, in the PSP's words. `document` may be masked (`***.456.789-**`), and is
 * `null` where the PSP does not give it.
 */
export type PixReceiver = { name: string; document: string | null };

/** A PIX key that is to be paid, and the amount: directories allow no query without a payment. */
export type PixKeyQuery = { pixKey: string; amountCentavos: bigint };

export type PixPayout = {
  payoutId: string;
  status: 'processing' | 'completed' | 'failed';
  amountCentavos: bigint;
  endToEndId: string | null;
  /**
   * `null` until the PSP names it: Efí does so when it is queried, not when it accepts the payout.
   */
  receiver: PixReceiver | null;
  /** Why it failed: an SPI code such as AC03, or null when the PSP gives none. */
  failureCode: string | null;
};

/** A payout in the list of everything that was sent, whoever asked for it. */
export type PixSentPayment = {
  /** The sender's id for it; `null` where the PSP does not give it. */
  payoutId: string | null;
  endToEndId: string;
  status: PixPayout['status'];
  amountCentavos: bigint;
  /** When it was settled, or else asked for. */
  sentAt: Date;
  /** What came back of it, as far as the list has it: money that was received. */
  returns: PixSentReturn[];
};

/** A devolução of what was sent. */
export type PixSentReturn = {
  /** The return's own id at the central bank (`rtrId`), D + 31. */
  returnId: string;
  amountCentavos: bigint;
  /** When it was settled, or else asked for; the payout's own time where the PSP says neither. */
  at: Date;
};

export type PixSentPaymentsPage = {
  payouts: PixSentPayment[];
  /** The number of entries that can't be read; they are left out. */
  unreadable: number;
  hasMore: boolean;
};

/**
 * Sending PIX, for which API Pix has no route: each PSP has its own. `rejected` of sendPayout
 * carries the SPI code where there is one. sendPayout does not repeat a call whose answer is
 * missing: its outcome is `unknown`.
 */
export type PixPayoutRail = {
  sendPayout(request: PixPayoutRequest): Promise<PayoutOutcome<PixPayout>>;
  /** `done` with null: the PSP knows no such payout (yet). */
  findPayout(payoutId: string): Promise<Outcome<PixPayout | null>>;
  /** Lists a page of all that was sent in a period, also by others than the service. */
  listPayouts(query: Omit<PixPaymentsQuery, 'refundedOnly'>): Promise<Outcome<PixSentPaymentsPage>>;
  /** How long after a send the PSP's "no such payout" is not reliable yet. */
  readonly lostAfterMs: number;
};

/** A case of the central bank's return mechanism (MED) about a payment that was received. */
export type PixDispute = {
  providerId: string;
  endToEndId: string;
  /**
   * - `open`: takes an answer; `answered`: it has one.
   * - `lost`: the payer gets the money back; `won`: they do not; `cancelled`: withdrawn.
   *
   * `null`: a state that the adapter does not know; `rawStatus` is the PSP's word for it.
   */
  status: 'open' | 'answered' | 'lost' | 'won' | 'cancelled' | null;
  rawStatus: string;
  reason: DisputeReason;
  /** The contested amount; `null` where the PSP does not give it beyond doubt. */
  amountCentavos: bigint | null;
  openedAt: Date | null;
  /** Until when the PSP takes an answer. */
  answerBy: Date | null;
  /** When it got its answer. */
  answeredAt: Date | null;
  /**
   * The payer's CPF or CNPJ as the PSP has it, without punctuation; `null` where it does not give
   * it.
   */
  payerDocument: string | null;
};

export type PixDisputesPage = {
  disputes: PixDispute[];
  /** The number of entries that can't be read; they are left out. */
  unreadable: number;
  hasMore: boolean;
};

export type PixDisputeAnswer = {
  providerId: string;
  /** `agree`: the payer is to have the money back. */
  answer: DisputeAnswer;
  text: string | null;
};

/**
 * Cases of the return mechanism, for which API Pix has no route: some PSPs have their own.
 * answerDispute does not repeat a call whose answer is missing: its outcome is `unknown`.
 */
export type PixDisputeRail = {
  /**
   * Lists a page of the cases of a period. Whether the PSP means the time of the payment, of the
   * opening or of the last change is not known, so only a period that contains all of them is sure
   * to have the case.
   */
  listDisputes(query: Omit<PixPaymentsQuery, 'refundedOnly'>): Promise<Outcome<PixDisputesPage>>;
  /** `done` with null: the PSP knows no such case of the last months. */
  findDispute(providerId: string): Promise<Outcome<PixDispute | null>>;
  /** Answers a case. `has_one`: it has an answer already, ours or one that was given at the PSP. */
  answerDispute(answer: PixDisputeAnswer): Promise<Outcome<'taken' | 'has_one'>>;
};

/**
 * Like Outcome; a rejection may carry the network's own code. `unknown` with a `providerId`: the
 * provider has taken something under this id of its own, but does not describe it as what it was
 * asked for, so that it can't be taken for lost.
 */
export type PayoutOutcome<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'rejected'; reason: string; failureCode: string | null }
  | { outcome: 'unknown'; reason: string; providerId?: string };

/** PIX. One instance connects to one PSP with one set of credentials. */
export type PixRail = {
  /** Stored with every transaction, e.g. `sandbox`, `psp`. */
  readonly name: string;
  /** Of its API, with the port: who waits for one rail waits for all of the host. */
  readonly host: string;
  createCharge(request: PixChargeRequest): Promise<Outcome<PixCharge>>;
  /** `done` with null: the PSP knows no such charge. */
  findCharge(txid: string): Promise<Outcome<PixCharge | null>>;
  /**
   * Ends a charge that is not paid yet; `done` gives its status afterwards, which may be `paid`.
   */
  cancelCharge(txid: string): Promise<Outcome<PixCharge | null>>;
  /** `done` with null: the PSP knows no such payment. */
  findPayment(endToEndId: string): Promise<Outcome<PixPayment | null>>;
  listPayments(query: PixPaymentsQuery): Promise<Outcome<PixPaymentsPage>>;
  refundPayment(request: PixRefundRequest): Promise<Outcome<PixRefund>>;
  /** `done` with null: the PSP knows no such devolução. */
  findRefund(endToEndId: string, refundId: string): Promise<Outcome<PixRefund | null>>;
  /** PIX out; `null` where sending is not set up for this PSP. */
  readonly payouts: PixPayoutRail | null;
  /** MED; `null` where the PSP has no known route for it. */
  readonly disputes: PixDisputeRail | null;
  /**
   * Reads what the PSP holds of ours at this moment, in centavos, for which API Pix has no route
   * either; `null` where no route is known. `rejected`: these credentials may not read it.
   */
  readonly balance: (() => Promise<Outcome<bigint>>) | null;
  /**
   * Finds who owns a PIX key now, before it is paid; `done` with null when the key is not
   * registered. Null where the PSP has no such query.
   */
  readonly findKeyOwner: ((query: PixKeyQuery) => Promise<Outcome<PixReceiver | null>>) | null;
  /** Registers the callback URL with the PSP, which appends `/pix` to the URL. */
  registerWebhook(webhookUrl: string): Promise<Outcome<null>>;
  /** Reads a callback's body; null when it is not one. Never throws. */
  parseCallback(body: string): PixNotice[] | null;
  close(): Promise<void>;
};

/**
 * An invoice to be created at a crypto processor. It is safe to create it twice with one order
 * number.
 */
export type CryptoInvoiceRequest = {
  /** Ours: the transaction's uuid. */
  orderNumber: string;
  currency: CurrencyCode;
  /** What has to be paid, in 10^-8 of a coin. */
  units: bigint;
  /** Shown to the payer where the processor shows anything. */
  title: string;
  expiresInSeconds: number;
  /** Where the processor calls back about this invoice. */
  callbackUrl: string;
};

/** The processor's own record of an invoice. */
export type CryptoInvoice = {
  providerId: string;
  /** Null where the answer leaves it out. */
  orderNumber: string | null;
  /**
   * - `open`: can be paid; `receivedUnits` may be above zero already (seen, not final, or only a
   *   part).
   * - `final`: what was received is confirmed by the network: as much as was asked, more, or less.
   * - `expired`: can't be paid any more; what was received is final.
   * - `cancelled`, `failed`: nothing final was received, and nothing will be.
   */
  status: 'open' | 'final' | 'expired' | 'cancelled' | 'failed';
  currency: CurrencyCode;
  /** What was asked for. */
  units: bigint;
  /** What has arrived so far, all payments together, confirmed or not. */
  receivedUnits: bigint;
  /**
   * Deposit address and memo; `null` without white-label, where the processor's page takes the
   * payment.
   */
  wallet: string | null;
  memo: string | null;
  /** The processor's own payment page. */
  pageUrl: string | null;
  confirmations: number;
  confirmationsNeeded: number | null;
  /** Hashes on the network. */
  txHashes: string[];
  expiresAt: Date | null;
};

export type CryptoPayoutRequest = {
  currency: CurrencyCode;
  units: bigint;
  wallet: string;
  memo: string | null;
};

/** What payouts are looked for by. */
export type CryptoPayoutLikeness = Omit<CryptoPayoutRequest, 'units'> & { units: bigint | null };

export type CryptoPayout = {
  providerId: string;
  status: 'processing' | 'completed' | 'failed';
  currency: CurrencyCode;
  units: bigint;
  wallet: string;
  createdAt: Date;
  txHash: string | null;
};

/** An operation in a processor's list of all of them, whoever asked for it. */
export type CryptoOperation = {
  providerId: string;
  /** `invoice`: coins are received; `payout`: they are sent. */
  kind: 'invoice' | 'payout';
  /** Our number of an invoice; null where the list leaves it out. */
  orderNumber: string | null;
  /** `done`: it has ended, and coins have moved; `nothing`: it has ended, and none have. */
  status: 'open' | 'done' | 'nothing';
  /**
   * What was received so far, or is sent, in 10^-8 of a coin; `null` where the list leaves it out.
   */
  units: bigint | null;
  /**
   * What the processor and the network took beside it, in 10^-8 of a coin, as the list has it, else
   * 0.
   */
  feeUnits: bigint;
  currency: string | null;
  createdAt: Date | null;
};

export type CryptoOperationsPage = {
  operations: CryptoOperation[];
  /**
   * The number of entries that can't be read; they are left out. One is added where not all of the
   * list is read.
   */
  unreadable: number;
  hasMore: boolean;
};

/** What the processor says of one currency. */
export type CryptoCurrencyInfo = {
  code: CurrencyCode;
  /** The least that a deposit may be, in 10^-8 of a coin (Plisio: min_sum_in). */
  minimumUnits: bigint;
  /** Neither hidden nor under maintenance. */
  active: boolean;
};

/** Crypto in and out, over a processor. One instance has one set of credentials. */
export type CryptoRail = {
  /** Stored with every transaction, e.g. `sandbox-crypto`, `plisio`. */
  readonly name: string;
  /** As of a PIX rail. */
  readonly host: string;
  currencies(): Promise<Outcome<CryptoCurrencyInfo[]>>;
  createInvoice(request: CryptoInvoiceRequest): Promise<Outcome<CryptoInvoice>>;
  /** `done` with null: the processor knows no such invoice. */
  findInvoice(providerId: string): Promise<Outcome<CryptoInvoice | null>>;
  /** Finds an invoice by our own number, for when the answer to createInvoice got lost. */
  findInvoiceByOrder(orderNumber: string): Promise<Outcome<CryptoInvoice | null>>;
  /**
   * Whether a payout can carry a memo. If not, a payout to a wallet that needs one must be rejected
   * before money moves, because it would be lost.
   */
  readonly sendsMemos: boolean;
  /** Sends a payout. Does not repeat a call whose answer is missing: its outcome is `unknown`. */
  sendPayout(request: CryptoPayoutRequest): Promise<PayoutOutcome<CryptoPayout>>;
  /**
   * `done` with null: the processor knows no such payout. `unknown`, too, where it describes
   * another payout than the one that is given.
   */
  findPayout(providerId: string, request?: CryptoPayoutRequest): Promise<Outcome<CryptoPayout | null>>;
  /**
   * Finds the payouts to this wallet, of exactly this quantity, made since then: for when the
   * answer to sendPayout got lost. `units` null: of any quantity.
   */
  findPayoutsLike(request: CryptoPayoutLikeness, since: Date): Promise<Outcome<CryptoPayout[]>>;
  /**
   * Lists a page, from 0, of all that was made in a period, also by others than the service.
   * `currency`: only operations of this one, where the processor says which one they are of.
   */
  listOperations(query: {
    from: Date;
    to: Date;
    page: number;
    currency?: string;
  }): Promise<Outcome<CryptoOperationsPage>>;
  /** Reads what the processor holds of ours at this moment, in 10^-8 of a coin. */
  balance(currency: string): Promise<Outcome<bigint>>;
  /** How long after a send the processor's "no such payout" is not reliable yet. */
  readonly lostAfterMs: number;
  /**
   * Reads a callback's body and checks its signature; `null` when it is not ours. Its claims are
   * not trusted. Never throws.
   */
  parseCallback(body: string): { providerId: string; orderNumber: string | null } | null;
  close(): Promise<void>;
};

/** One market's price of one coin. */
export type MarketPrice = {
  source: string;
  /** 10^-8 BRL for one coin. */
  price: bigint;
  /** When the market says it was made; our own clock where the market does not say. */
  at: Date;
};

/** A public market. `done` holds the assets it has a BRL price of. */
export type PriceSource = {
  readonly name: string;
  prices(assets: readonly Asset[]): Promise<Outcome<Map<Asset, MarketPrice>>>;
};
