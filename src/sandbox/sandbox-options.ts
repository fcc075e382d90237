import type { Pool } from 'pg';

/** One receiver of the simulated PSP: its API credentials and the PIX key that belongs to it. */
export type SandboxClient = {
  clientId: string;
  clientSecret: string;
  pixKey: string;
  /** CPF or CNPJ; a txid is unique within it. */
  document: string;
};

/**
 * A shop at the crypto processor. While its key is being replaced it has several; the first signs
 * its callbacks.
 */
export type CryptoShop = { name: string; apiKeys: [string, ...string[]] };

/** The part of a pino logger that the sandbox uses. */
type SandboxLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type SandboxOptions = {
  pool: Pool;
  clock: () => Date;
  /**
   * Host and port without scheme, perhaps with a mount path; written into BR Codes as
   * `<publicHost>/qr/<token>`.
   */
  publicHost: string;
  clients: SandboxClient[];
  /** The crypto processor's shops; without any it rejects every call. */
  cryptoShops?: CryptoShop[];
  /**
   * Further clients by their id, one for each valid secret, and further shops by their id, which is
   * the part of a shop's keys before the point.
   */
  merchants?: { clients(clientId: string): SandboxClient[]; shop(id: string): CryptoShop | null };
  /** The bearer tokens that the control side accepts. */
  controlTokens: string[];
  merchantName: string;
  merchantCity: string;
  log: SandboxLog;
};
