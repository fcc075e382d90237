import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, base64url, bech32, bech32m, createBase58check, hex } from '@scure/base';
import {
  CURRENCIES,
  CURRENCY_CODES,
  type CurrencyCode,
  hasMemo,
  isCurrencyCode,
  type Network,
} from '../quotes/currencies.ts';

/** A TON comment that fits one cell, and what wallets let people type. */
const MEMO_LENGTH_MAX = 120;

/**
 * No control, format (bidi, zero width), private or lone surrogate character, and no line break:
 * what is seen is what is sent.
 */
const MEMO = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

const PARSERS: Record<Network, (address: string) => string | null> = {
  ethereum: evmAddress,
  bsc: evmAddress,
  // Version bytes and prefixes of the chain parameters of Bitcoin Core, Litecoin Core and Dogecoin
  // Core: p2pkh, then p2sh.
  bitcoin: (address) => base58Address(address, [0x00, 0x05]) ?? segwitAddress(address, 'bc'),
  // 0x05 is p2sh as it was written before M (0x32), like Bitcoin's; wallets take both.
  litecoin: (address) => base58Address(address, [0x30, 0x32, 0x05]) ?? segwitAddress(address, 'ltc'),
  dogecoin: (address) => base58Address(address, [0x1e, 0x16]),
  tron: (address) => base58Address(address, [0x41]),
  solana: solanaAddress,
  ton: tonAddress,
};

const base58check = createBase58check(sha256);

/**
 * The contracts of USDT and USDC on Ethereum, then those on BNB Smart Chain: on either network the
 * other one's is an address without an owner, too.
 */
const EVM_CONTRACTS = [
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0x55d398326f99059fF775485246999027B3197955',
  '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
] as const;

/**
 * The contracts of our tokens, in their canonical form, by network. What is sent to one is lost:
 * nobody has a key for it.
 */
const TOKEN_CONTRACTS: Partial<Record<Network, readonly string[]>> = {
  ethereum: EVM_CONTRACTS,
  bsc: EVM_CONTRACTS,
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  solana: ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  ton: ['EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
};

/**
 * Returns the address in its canonical form, when it is one of the main network of the currency,
 * and not a token's contract, else `null`. Blanks around it are dropped. Every network but Solana
 * has a checksum, which is checked; Ethereum's only where the case of the letters carries one.
 * Canonical is EIP-55 on EVM networks, lower case for segwit, base64url for TON; the others have
 * one spelling only.
 */
export function parseWallet(address: string, code: CurrencyCode): string | null {
  const wallet = readAddress(address, code);
  if (wallet === null) return null;
  const contracts = TOKEN_CONTRACTS[CURRENCIES[code].network] ?? [];
  return walletSpellings(wallet, code).some((spelling) => contracts.includes(spelling)) ? null : wallet;
}

const readAddress = (address: string, code: CurrencyCode): string | null =>
  PARSERS[CURRENCIES[code].network](address.trim());

/**
 * Returns a provider's address in its canonical form; unchanged where it can't be parsed, because
 * the provider knows its own addresses.
 */
export const canonicalWallet = (wallet: string | null, code: string): string | null =>
  wallet === null || !isCurrencyCode(code) ? wallet : (readAddress(wallet, code) ?? wallet);

/**
 * Returns all spellings of one destination, given its canonical one: what is paid to any of them
 * arrives at the same owner. EVM addresses are written in lower case too, Litecoin's p2sh has two
 * version bytes, a TON account may be bounceable or not.
 */
export function walletSpellings(wallet: string, code: CurrencyCode): string[] {
  const { network } = CURRENCIES[code];
  if (network === 'ethereum' || network === 'bsc') return [wallet, wallet.toLowerCase()];
  if (network === 'litecoin') {
    const bytes = decoded(() => base58check.decode(wallet));
    if (bytes?.[0] !== 0x05 && bytes?.[0] !== 0x32) return [wallet];
    return [0x05, 0x32].map((version) => base58check.encode(Uint8Array.of(version, ...bytes.subarray(1))));
  }
  if (network !== 'ton') return [wallet];
  const bytes = decoded(() => base64url.decode(wallet));
  if (bytes === null) return [wallet];
  const flags = [TON_BOUNCEABLE, TON_NON_BOUNCEABLE];
  return flags.flatMap((flag) => tonFriendly(Uint8Array.of(flag, ...bytes.subarray(1, 34))) ?? []);
}

/**
 * Returns a text and, where it is a wallet's address on some network, its other spellings: a search
 * for any of them finds the one that is stored.
 */
export function possibleWallets(text: string): string[] {
  const spellings = CURRENCY_CODES.flatMap((code) => {
    const wallet = readAddress(text, code);
    return wallet === null ? [] : walletSpellings(wallet, code);
  });
  return [...new Set([text, ...spellings])];
}

/**
 * Returns the memo without blanks around it, 1 to 120 printable characters, on a network that has
 * memos, else `null`: on any other network a memo is a mistake, because its owner would wait for a
 * payment that can't be assigned.
 */
export function parseMemo(memo: string, code: CurrencyCode): string | null {
  if (!hasMemo(code) || !MEMO.test(memo)) return null;
  const text = memo.trim();
  const length = [...text].length;
  return length >= 1 && length <= MEMO_LENGTH_MAX ? text : null;
}

/**
 * EIP-55: a letter is a capital where the hash of the lower-case address has a hex digit of 8 or
 * more.
 */
function evmAddress(address: string): string | null {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
  if (digits === undefined || isPrecompiled(hex.decode(digits.toLowerCase()))) return null;
  const lower = digits.toLowerCase();
  const hash = hex.encode(keccak_256(new TextEncoder().encode(lower)));
  const checksummed = lower.replace(/[a-f]/g, (letter, i) => ((hash[i] ?? '') >= '8' ? letter.toUpperCase() : letter));
  return [lower, lower.toUpperCase(), checksummed].includes(digits) ? `0x${checksummed}` : null;
}

/** A version byte and the 20 bytes of a hash, with four bytes of a double SHA-256. */
function base58Address(address: string, versions: number[]): string | null {
  const bytes = decoded(() => base58check.decode(address));
  if (bytes?.length !== 21 || isZeroAddress(bytes.subarray(1))) return null;
  return versions.includes(bytes[0] ?? -1) ? address : null;
}

/**
 * BIP-173 for version 0, with programs of 20 or 32 bytes; BIP-350 for version 1, with Taproot's 32
 * (BIP-341). Later versions mean nothing yet, and what is sent to one is free for all, so they are
 * rejected, against BIP-350's advice to senders.
 */
function segwitAddress(address: string, prefix: string): string | null {
  const v0 = segwitProgram(address, prefix, bech32, 0);
  const v1 = segwitProgram(address, prefix, bech32m, 1);
  return v0?.length === 20 || v0?.length === 32 || v1?.length === 32 ? address.toLowerCase() : null;
}

function segwitProgram(address: string, prefix: string, code: typeof bech32, version: number): Uint8Array | null {
  return decoded(() => {
    const { prefix: found, words } = code.decode(address as `${string}1${string}`);
    return found === prefix && words[0] === version ? code.fromWords(words.slice(1)) : null;
  });
}

/** An Ed25519 public key or a derived address: 32 bytes without a checksum. */
function solanaAddress(address: string): string | null {
  const bytes = decoded(() => base58.decode(address));
  return bytes?.length === 32 && !isZeroAddress(bytes) ? address : null;
}

/**
 * TEP-2: the flag of a contract that may bounce what it can't take (EQ…), of a wallet that takes
 * everything (UQ…).
 */
const TON_BOUNCEABLE = 0x11;
const TON_NON_BOUNCEABLE = 0x51;

/** The base chain's workchain and the masterchain's, as a byte. */
const TON_WORKCHAINS = [0x00, 0xff];

/**
 * TEP-2: base64 of either alphabet (flag, workchain, 32 bytes, CRC-16), or raw `0:<hex>`, which
 * becomes non-bounceable, for a payment to a wallet that is not deployed yet would bounce. The flag
 * 0x80 of test networks is rejected.
 */
function tonAddress(address: string): string | null {
  const [, workchain, account = ''] = /^(0|-1):([0-9a-fA-F]{64})$/.exec(address) ?? [];
  if (workchain !== undefined) {
    const chainByte = workchain === '0' ? 0x00 : 0xff;
    return tonFriendly(Uint8Array.of(TON_NON_BOUNCEABLE, chainByte, ...hex.decode(account.toLowerCase())));
  }
  const base64urlText = address.replaceAll('+', '-').replaceAll('/', '_');
  const bytes = decoded(() => base64url.decode(base64urlText));
  if (bytes?.length !== 36) return null;
  const [flag = -1, chain = -1] = bytes;
  if (![TON_BOUNCEABLE, TON_NON_BOUNCEABLE].includes(flag) || !TON_WORKCHAINS.includes(chain)) return null;
  return tonFriendly(bytes.subarray(0, 34)) === base64urlText ? base64urlText : null;
}

/** The text of a flag, a workchain and 32 bytes, with their CRC. */
function tonFriendly(body: Uint8Array): string | null {
  if (isZeroAddress(body.subarray(2))) return null;
  const crc = crc16Xmodem(body);
  return base64url.encode(Uint8Array.of(...body, crc >> 8, crc & 0xff));
}

/** CRC-16/XMODEM: polynomial 1021, start 0, not reflected. */
function crc16Xmodem(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc;
}

/** Software that was given no address sends all zeros; there is no key for that address. */
const isZeroAddress = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Below 0x10000 are the contracts that each node brings with it; they have no key either. */
const isPrecompiled = (bytes: Uint8Array): boolean => isZeroAddress(bytes.subarray(0, -2));

/** The libraries throw for what they can't decode; here that is `null`. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
