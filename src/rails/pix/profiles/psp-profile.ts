/** Something that a public document says of a PSP; `null`: we found none that does. */
export type Fact<T> = { value: T; source: string } | null;

export const fact = <T>(source: string, value: T): NonNullable<Fact<T>> => ({ value, source });

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
  /** The account's balance, as the PSP states it. */
  'balance',
  /** Sending PIX: the PSP's own route. */
  'payouts',
  /** Callbacks come with a client certificate. */
  'webhookMtls',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/**
 * How a PSP differs from the standard in what it is asked, not in the bodies: what has to be known
 * before the first call.
 */
export type PspDialect = {
  /**
   * Where tokens are requested, with a query where it has one; else at `/oauth/token` below the
   * API's address.
   */
  tokenUrl?: string;
  /**
   * RFC 6749 section 2.3.1: client and secret are in the header, or in the body. A PSP that knows
   * the client by its certificate issues no secret.
   */
  clientIn?: 'header' | 'body' | 'bodyWithoutSecret';
  /** `false`: the request for a token names no scopes. */
  namesScopes?: boolean;
  /** The version of the routes whose path matches, in place of the one at the address's end. */
  versions?: readonly { path: RegExp; version: string }[];
  /** Headers of its own, of the routes whose path matches. */
  headers?: readonly { path: RegExp; name: string; value: string | ((clientId: string) => string) }[];
  /** Parameters of the API's address that go with every call as headers, not in the query. */
  headerParameters?: readonly string[];
  /** The longest period of `GET /pix` that it takes, in days. */
  listDaysMax?: number;
  /** Whether it takes the times of `GET /pix` in whole seconds only. */
  listsInSeconds?: boolean;
};

/**
 * A route beside the standard, below the host; `{id}` is an id that nothing can have. A route with
 * a query is asked with that query; one with neither a query nor an id is asked for one minute.
 */
export type OwnRoute = { path: string; scope: string; id?: string };

/** What is publicly known of a PSP's API Pix. */
export type PspProfile = {
  name: string;
  /** The hosts of its API, with those for tests, and where their tokens are requested. */
  hosts: Record<string, { tokenUrl: string }>;
  baseUrl: Fact<string>;
  tokenUrl: Fact<string>;
  /** Whether a client certificate is required. */
  mtls: Fact<boolean>;
  /** The standard's scopes and its own, as far as a document names them. */
  scopes: Fact<readonly string[]>;
  dialect: Omit<PspDialect, 'tokenUrl'>;
  can: Record<Capability, Fact<boolean>>;
  /** Routes of its own that can be queried without an effect. */
  routes: { disputes?: OwnRoute; payouts?: OwnRoute; balance?: OwnRoute };
  /** What else an operator has to know. */
  notes: readonly NonNullable<Fact<string>>[];
};
