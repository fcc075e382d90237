import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCY_CODES, type CurrencyCode } from '../quotes/currencies.ts';
import { canonicalWallet, parseMemo, parseWallet, possibleWallets, walletSpellings } from './wallet-address.ts';

const base58check = createBase58check(sha256);
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Well-known addresses in canonical form: from the standards, and contracts of USDT and USDC. */
const KNOWN: [CurrencyCode, string][] = [
  ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['USDT', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['USDC', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  ['BNB', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  ['USDT_BSC', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['ETH', '0xde709f2102306220921060314715629080e2fb77'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['BTC', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['LTC', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
  ['LTC', 'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441'],
  ['LTC', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
  ['DOGE', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  ['DOGE', '9rXbkMyi1S6thykRoXAZcY8fwUKYsy6cXE'],
  ['USDT_TRX', 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'],
  ['SOL', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
  ['USDT_SOL', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
  ['TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
  ['TON', 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'],
  ['TON', 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'],
];

/** Every address with one character replaced. */
function* oneCharacterErrors(address: string, alphabet: string): Generator<string> {
  for (let i = 0; i < address.length; i++) {
    for (const character of alphabet) {
      if (character !== address[i]) yield address.slice(0, i) + character + address.slice(i + 1);
    }
  }
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('every network', () => {
  test.each(KNOWN)('%s takes %s', (code, address) => {
    expect(parseWallet(address, code)).toBe(address);
    expect(parseWallet(` ${address}\n`, code)).toBe(address);
  });

  test('rejects the addresses of the others', () => {
    const sharedByNetworks = (code: CurrencyCode, address: string) =>
      CURRENCY_CODES.filter((other) => parseWallet(address, other) !== null && other !== code).sort();
    const evm = ['BNB', 'ETH', 'USDC', 'USDT', 'USDT_BSC'];
    for (const [code, address] of KNOWN) {
      const family =
        [evm, ['SOL', 'USDT_SOL'], ['TON', 'USDT_TON'], ['TRX', 'USDT_TRX']].find((codes) => codes.includes(code)) ??
        [];
      // Litecoin's old p2sh addresses look like Bitcoin's.
      const shared = address.startsWith('3') ? ['LTC'] : family.filter((other) => other !== code);
      expect(sharedByNetworks(code, address)).toEqual(shared);
    }
  });

  test.each(CURRENCY_CODES)('%s rejects what is no address', (code) => {
    for (const text of ['', ' ', '0x', '1', 'null', 'undefined', 'São Paulo', 'z'.repeat(50_000), '0'.repeat(64)]) {
      expect(parseWallet(text, code)).toBeNull();
    }
  });

  test.each([
    ['USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'ETH'],
    ['USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDT'],
    ['USDT_BSC', '0x55d398326f99059fF775485246999027B3197955', 'BNB'],
    ['USDT', '0x55d398326f99059fF775485246999027B3197955', 'USDC'],
    ['USDT_BSC', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'BNB'],
    ['BNB', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 'ETH'],
    ['USDT_TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TRX'],
    ['USDT_SOL', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'SOL'],
    ['USDT_TON', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', 'TON'],
  ] as const)('%s knows the contract %s, whose address is no wallet for it or for %s', (code, contract, other) => {
    for (const spelling of walletSpellings(contract, code)) {
      expect(parseWallet(spelling, code)).toBeNull();
      expect(parseWallet(spelling, other)).toBeNull();
    }
    // What a provider says of a payout that was sent before is compared all the same.
    expect(canonicalWallet(contract, code)).toBe(contract);
  });

  test('an address above those of the contracts that each node brings with it is taken', () => {
    const address = `0x${'0'.repeat(35)}10000`;
    expect(parseWallet(address, 'ETH')).toBe(address);
  });

  test.each(CURRENCY_CODES)('%s rejects an address that was cut or extended', (code) => {
    for (const [, address] of KNOWN) {
      const spoilt = [`${address}?amount=1`, `${address}\0`, `${address},`, `x:${address}`, `${address} ${address}`];
      // Solana's addresses have no checksum, and 43 characters may be 32 bytes too.
      if (!code.endsWith('SOL')) spoilt.push(address.slice(1), address.slice(0, -1), `${address}1`);
      for (const text of spoilt) expect(parseWallet(text, code)).toBeNull();
    }
  });

  test.each(['BTC', 'LTC', 'DOGE', 'TRX', 'TON'] as const)('%s finds one wrong character', (code) => {
    for (const [, address] of KNOWN.filter(([currency]) => currency.endsWith(code))) {
      const alphabet = code === 'TON' ? BASE64URL : /^(bc|ltc)1/.test(address) ? BECH32 : BASE58;
      for (const wrong of oneCharacterErrors(address, alphabet)) expect(parseWallet(wrong, code)).toBeNull();
    }
  });

  test('reads an address that it answered as the same address', () => {
    const texts = fc.oneof(
      bytes(20).map((hash) => `0x${Buffer.from(hash).toString('hex')}`),
      bytes(21).map((payload) => base58check.encode(payload)),
      bytes(32).map((key) => base58.encode(key)),
      bytes(32).map((account) => `0:${Buffer.from(account).toString('hex')}`),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(...CURRENCY_CODES), (text, code) => {
        const wallet = parseWallet(text, code);
        if (wallet !== null) expect(parseWallet(wallet, code)).toBe(wallet);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('Ethereum and BNB Smart Chain', () => {
  const mixed = KNOWN.filter(([, address]) => address.startsWith('0x')).map(([, address]) => address);

  test.each(mixed)('%s is read from its digits in lower or upper case', (address) => {
    expect(parseWallet(address.toLowerCase(), 'USDT_BSC')).toBe(address);
    expect(parseWallet(`0x${address.slice(2).toUpperCase()}`, 'ETH')).toBe(address);
  });

  test('one letter of the wrong case breaks the checksum', () => {
    for (const address of mixed.slice(0, 4)) {
      for (let i = 2; i < address.length; i++) {
        const letter = address.charAt(i);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        if (other !== letter) {
          expect(parseWallet(address.slice(0, i) + other + address.slice(i + 1), 'ETH')).toBeNull();
        }
      }
    }
  });

  test.each([
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beag0',
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000000001',
    '0x000000000000000000000000000000000000ffff',
  ])('%s is rejected', (text) => {
    expect(parseWallet(text, 'ETH')).toBeNull();
  });
});

describe('base58check', () => {
  test.each<[CurrencyCode, number, RegExp]>([
    ['BTC', 0x00, /^1/],
    ['BTC', 0x05, /^3/],
    ['LTC', 0x30, /^L/],
    ['LTC', 0x32, /^M/],
    ['LTC', 0x05, /^3/],
    ['DOGE', 0x1e, /^D/],
    ['DOGE', 0x16, /^[9A]/],
    ['TRX', 0x41, /^T/],
  ])('%s takes every 20 bytes of version %i', (code, version, beginning) => {
    fc.assert(
      fc.property(bytes(20), (hash) => {
        const address = base58check.encode(Uint8Array.of(version, ...hash));
        expect(address).toMatch(beginning);
        expect(parseWallet(address, code)).toBe(address);
      }),
    );
  });

  test('an address of another version, of another length, or the zero address is rejected', () => {
    const taken = { BTC: [0x00, 0x05], LTC: [0x05, 0x30, 0x32], DOGE: [0x16, 0x1e], TRX: [0x41] } as const;
    const all = Array.from({ length: 256 }, (_, version) => version);
    for (const code of ['BTC', 'LTC', 'DOGE', 'TRX'] as const) {
      const accepts = (version: number, rest: Uint8Array) =>
        parseWallet(base58check.encode(Uint8Array.of(version, ...rest)), code) !== null;
      expect(all.filter((version) => accepts(version, new Uint8Array(20).fill(7)))).toEqual(taken[code]);
      for (const version of taken[code]) {
        for (const length of [0, 19, 21, 32]) expect(accepts(version, new Uint8Array(length).fill(7))).toBe(false);
        expect(accepts(version, new Uint8Array(20))).toBe(false);
      }
    }
  });

  test('Tron’s hexadecimal form is rejected', () => {
    expect(parseWallet('41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TRX')).toBeNull();
  });
});

describe('segwit', () => {
  test('upper case is read as lower case', () => {
    expect(parseWallet('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'BTC')).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    );
  });

  test.each([
    // BIP-350's invalid addresses, those of Bitcoin's main network.
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'bech32 instead of bech32m'],
    ['BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'bech32 instead of bech32m'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'bech32m instead of bech32'],
    ['bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'a character out of the alphabet'],
    ['BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'version 17'],
    ['bc1pw5dgrnzv', 'a program of 1 byte'],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', 'a program of 41 bytes'],
    ['BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'a program of 16 bytes in version 0'],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'padding of more than 4 bits'],
    ['bc1gmk9yu', 'no data'],
    ['bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mixed case'],
    // Valid by BIP-350, but of another network, or without a meaning on the main network yet.
    ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'the test network'],
    ['bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y', 'version 1 with 40 bytes'],
    ['BC1SW50QGDZ25J', 'version 16'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'version 2'],
  ])('%s is rejected: %s', (address) => {
    expect(parseWallet(address, 'BTC')).toBeNull();
  });

  test('the prefix, the checksum and the length of the program go with the version', () => {
    const codes = { bech32, bech32m };
    fc.assert(
      fc.property(
        fc.constantFrom('bc', 'ltc', 'tb'),
        fc.constantFrom('bech32', 'bech32m'),
        fc.integer({ min: 0, max: 16 }),
        fc.oneof(fc.constantFrom(20, 32), fc.integer({ min: 2, max: 40 })).chain(bytes),
        (prefix, encoding, version, program) => {
          const address = codes[encoding].encode(prefix, [version, ...codes[encoding].toWords(program)]);
          const good =
            (version === 0 && encoding === 'bech32' && [20, 32].includes(program.length)) ||
            (version === 1 && encoding === 'bech32m' && program.length === 32);
          expect(parseWallet(address, 'BTC')).toBe(good && prefix === 'bc' ? address : null);
          expect(parseWallet(address, 'LTC')).toBe(good && prefix === 'ltc' ? address : null);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('Solana', () => {
  test('takes 32 bytes, no more and no fewer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 28, maxLength: 36 }), (key) => {
        fc.pre(key.some((byte) => byte !== 0));
        const address = base58.encode(key);
        expect(parseWallet(address, 'USDT_SOL')).toBe(key.length === 32 ? address : null);
      }),
    );
  });

  test('the address of all zeros is rejected', () => {
    expect(parseWallet('1'.repeat(32), 'SOL')).toBeNull();
  });
});

describe('TON', () => {
  test('the raw form is read as the non-bounceable one', () => {
    const account = 'fcb91a3a3816d0f7b8c2c76108b8a9bc5a6b7a55bd79f8ab101c52db29232260';
    expect(parseWallet('0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8', 'TON')).toBe(
      'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
    );
    expect(parseWallet(`-1:${account.toUpperCase()}`, 'TON')).toBe('Uf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYG-9');
    for (const chain of ['1', '-2', '00', '', '+0']) expect(parseWallet(`${chain}:${account}`, 'TON')).toBeNull();
  });

  test('both alphabets of base64 are read, also mixed', () => {
    for (const text of [
      'Uf/8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15+KsQHFLbKSMiYG+9',
      'Uf/8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYG+9',
    ]) {
      expect(parseWallet(text, 'USDT_TON')).toBe('Uf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYG-9');
    }
  });

  test.each([
    ['kf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny', 'the flag of test networks'],
    ['EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', 'the zero address'],
    [`0:${'0'.repeat(64)}`, 'the zero address'],
    ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xq===', 'padding'],
  ])('%s is rejected: %s', (address) => {
    expect(parseWallet(address, 'TON')).toBeNull();
  });

  test('flag and workchain must be known, whatever the CRC says', () => {
    const body = Buffer.from('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'base64url').subarray(0, 34);
    const accepted = (flag: number, chain: number) => {
      const changed = Buffer.from(body);
      changed.set([flag, chain]);
      return parseWallet(Buffer.concat([changed, crcOf(changed)]).toString('base64url'), 'TON') !== null;
    };
    const all = Array.from({ length: 256 }, (_, byte) => byte);
    expect(all.filter((flag) => accepted(flag, 0))).toEqual([0x11, 0x51]);
    expect(all.filter((chain) => accepted(0x51, chain))).toEqual([0x00, 0xff]);
  });

  /** CRC-16/XMODEM by long division, computed in another way than the code's. */
  function crcOf(message: Buffer): Buffer {
    let rest = BigInt(`0x${message.toString('hex')}0000`);
    for (let shift = message.length * 8 - 1; shift >= 0; shift--) {
      if ((rest >> BigInt(shift + 16)) & 1n) rest ^= 0x11021n << BigInt(shift);
    }
    return Buffer.from(rest.toString(16).padStart(4, '0'), 'hex');
  }
});

describe('a memo', () => {
  test.each([
    ['1', '1'],
    ['  102938475 ', '102938475'],
    ['Pedido nº 42, São Paulo', 'Pedido nº 42, São Paulo'],
    ['9'.repeat(120), '9'.repeat(120)],
    ['😀'.repeat(120), '😀'.repeat(120)],
  ])('%j is taken where there are memos', (text, memo) => {
    expect(parseMemo(text, 'TON')).toBe(memo);
    expect(parseMemo(text, 'USDT_TON')).toBe(memo);
  });

  test.each([
    '',
    ' ',
    '9'.repeat(121),
    '12\n34',
    '1234\n',
    '12\u0000',
    '12\u007f',
    '12\u202e34',
    '12\u200b34',
    '12\u2028',
    '\ud83d',
  ])('%j is rejected', (text) => {
    expect(parseMemo(text, 'TON')).toBeNull();
  });

  test('is a mistake on every other network', () => {
    for (const code of CURRENCY_CODES) expect(parseMemo('1234', code) !== null).toBe(/TON$/.test(code));
  });
});

describe('the spellings of one destination', () => {
  test.each<[CurrencyCode, string, string]>([
    ['USDT_BSC', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'],
  ])('%s: %s is %s', (code, one, other) => {
    const [first, second] = [parseWallet(one, code) ?? '', parseWallet(other, code) ?? ''];
    expect(walletSpellings(first, code)).toContain(second);
    expect(walletSpellings(second, code)).toContain(first);
    expect(walletSpellings(first, code)).toContain(first);
    expect(possibleWallets(one)).toContain(second);
    expect(possibleWallets(other)).toContain(first);
  });

  test('Litecoin’s p2sh has an old and a new one', () => {
    const old = '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj';
    const [canonical = ''] = walletSpellings(old, 'LTC').filter((spelling) => spelling.startsWith('M'));
    expect(parseWallet(canonical, 'LTC')).toBe(canonical);
    expect(walletSpellings(canonical, 'LTC').sort()).toEqual([canonical, old].sort());
  });

  test('a text that is no wallet has none but itself', () => {
    for (const text of ['', 'Pedido 42', '0x52908400098527886e0f7030069857d2e4169ee'])
      expect(possibleWallets(text)).toEqual([text]);
  });

  test('everywhere else there is one', () => {
    const wallet = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA';
    expect(walletSpellings(wallet, 'USDT_TRX')).toEqual([wallet]);
  });
});
