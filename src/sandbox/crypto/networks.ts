/** The processor's data about coins and their networks. */
import { randomBytes, randomInt } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, createBase58check } from '@scure/base';
import { type Asset, CURRENCIES, type CurrencyCode, hasMemo, type Network } from '#domain/quotes/currencies.ts';
import { parseWallet } from '#domain/withdrawals/wallet-address.ts';

const base58check = createBase58check(sha256);

type NetworkRules = {
  /** Confirmations after which the processor calls a payment final. */
  confirmations: number;
  /**
   * Returns a random address of the network. Those of EVM and TON lack the checksum, which
   * parseWallet adds.
   */
  newAddress(): string;
  newTxHash(): string;
  /** The URL of a block explorer's page, up to the hash. */
  explorer: string;
};

const hash = (): string => randomBytes(32).toString('hex');
const evm = { newAddress: () => `0x${randomBytes(20).toString('hex')}`, newTxHash: () => `0x${hash()}` };

const NETWORKS: Record<Network, NetworkRules> = {
  ethereum: { confirmations: 12, ...evm, explorer: 'https://etherscan.io/tx/' },
  bsc: { confirmations: 3, ...evm, explorer: 'https://bscscan.com/tx/' },
  bitcoin: {
    confirmations: 2,
    newAddress: () => newSegwitAddress('bc'),
    newTxHash: hash,
    explorer: 'https://www.blockchain.com/explorer/transactions/btc/',
  },
  litecoin: {
    confirmations: 6,
    newAddress: () => newSegwitAddress('ltc'),
    newTxHash: hash,
    explorer: 'https://litecoinspace.org/tx/',
  },
  dogecoin: {
    confirmations: 6,
    newAddress: () => newBase58Address(0x1e),
    newTxHash: hash,
    explorer: 'https://dogechain.info/tx/',
  },
  tron: {
    confirmations: 3,
    newAddress: () => newBase58Address(0x41),
    newTxHash: hash,
    explorer: 'https://tronscan.org/#/transaction/',
  },
  solana: {
    confirmations: 1,
    newAddress: () => base58.encode(randomBytes(32)),
    newTxHash: () => base58.encode(randomBytes(64)),
    explorer: 'https://solscan.io/tx/',
  },
  ton: {
    confirmations: 1,
    newAddress: () => `0:${hash()}`,
    newTxHash: hash,
    explorer: 'https://tonviewer.com/transaction/',
  },
};

/**
 * The least deposit, in 10^-8 of a coin: two dollars in USDT and USDC, a small amount in the
 * others.
 */
const MINIMUM_UNITS: Record<Asset, bigint> = {
  USDT: 2_00000000n,
  USDC: 2_00000000n,
  BTC: 10000n,
  ETH: 200000n,
  LTC: 2000000n,
  DOGE: 10_00000000n,
  BNB: 500000n,
  SOL: 2000000n,
  TRX: 10_00000000n,
  TON: 1_00000000n,
};

export const networkOf = (code: CurrencyCode): NetworkRules => NETWORKS[CURRENCIES[code].network];

export const minimumUnits = (code: CurrencyCode): bigint => MINIMUM_UNITS[CURRENCIES[code].asset];

/**
 * The network's fee of a withdrawal, in 10^-8 of a coin: half the least deposit. It is charged on
 * top of what the receiver gets.
 */
export const networkFeeUnits = (code: CurrencyCode): bigint => minimumUnits(code) / 2n;

/** The smallest quantity that the network can express, in 10^-8 of a coin. */
export const stepOf = (code: CurrencyCode): bigint => 10n ** BigInt(Math.max(0, 8 - CURRENCIES[code].decimals));

/**
 * Returns a new deposit address with a valid checksum and without a known private key; with a memo
 * where the network has them.
 */
export function newWallet(code: CurrencyCode): { wallet: string; memo: string | null } {
  const wallet = parseWallet(networkOf(code).newAddress(), code);
  if (wallet === null) throw new Error(`Made an address that ${code} does not have.`);
  return { wallet, memo: hasMemo(code) ? String(randomInt(1e8, 1e9)) : null };
}

/** Pay-to-witness-public-key-hash: version 0, 20 bytes (BIP-173). */
const newSegwitAddress = (prefix: string): string =>
  bech32.encode(prefix, [0, ...bech32.toWords(Uint8Array.from(randomBytes(20)))]);

const newBase58Address = (version: number): string => base58check.encode(Uint8Array.of(version, ...randomBytes(20)));
