/** Something that a public document says of a PSP; null: none that we found says it. */
export type Fact<T> = { value: T; source: string } | null;

export const CAPABILITIES = [
  /** Charges with a due date: `/cobv`. */
  'cobv',
  /** Batches of them: `/lotecobv`. */
  'lotecobv',
  /** Pix Automático: authorisations and their charges, `/rec` and `/cobr`. */
  'rec',
  /** Asking the payer's bank for an authorisation: `/solicrec`. */
  'solicrec',
  /** Every payment of a period: `GET /pix`. */
  'list',
  /** MED: the PSP's own route. */
  'disputes',
  /** What the account has, as the PSP says it. */
  'balance',
  /** Sending PIX: the PSP's own route. */
  'payouts',
  /** Callbacks come with a client certificate. */
  'webhookMtls',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/**
 * Where a PSP differs from the standard on the way to it, not in the bodies: what the client of API
 * Pix has to know before it can ask anything.
 */
export type PspDialect = {
  /** Where tokens are; else below the API's address, at `/oauth/token`. */
  tokenUrl?: string;
  /** RFC 6749 section 2.3.1: client and secret are in the header, or in the body. */
  clientIn?: 'header' | 'body';
  /** The version of the routes whose path matches, in place of the one at the address's end. */
  versions?: readonly { path: RegExp; version: string }[];
};

/**
 * A route beside the standard, behind the host; `{id}` is an id that nothing can have. One with a
 * query is asked with that, another one without an id for a minute.
 */
export type OwnRoute = { path: string; scope: string; id?: string };

/** What is publicly known of a PSP's API Pix. */
export type PspProfile = {
  name: string;
  /** The hosts of its API, tests included, with where their tokens are. */
  hosts: Record<string, { tokenUrl: string }>;
  baseUrl: Fact<string>;
  tokenUrl: Fact<string>;
  /** Whether a client certificate is asked for. */
  mtls: Fact<boolean>;
  /** The standard's and its own, as far as they are named somewhere. */
  scopes: Fact<readonly string[]>;
  dialect: Omit<PspDialect, 'tokenUrl'>;
  can: Record<Capability, Fact<boolean>>;
  /** Routes of its own that can be asked without effect. */
  routes: { disputes?: OwnRoute; payouts?: OwnRoute; balance?: OwnRoute };
  /** What else an operator has to know. */
  notes: readonly NonNullable<Fact<string>>[];
};
