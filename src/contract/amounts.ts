import { z } from 'zod';
import { parseUnits, UNIT_DECIMALS, unitsToDecimal, unitsToNumber } from '#domain/quotes/crypto-units.ts';
import { AMOUNT_CENTAVOS_MAX, formatBrl, parseBrl, readBrl, toBrl } from '#domain/values/money.ts';
import { reject } from './codecs.ts';
import { issue } from './issues/issue-message.ts';

/** Amounts in BRL: JSON numbers of reais on the wire, centavos as a bigint inside. */

/**
 * How the OpenAPI document describes an amount in BRL. It has no `multipleOf`: in binary 0.07 is no
 * multiple of 0.01, and most validators would reject our own answers. Two decimals are checked by
 * `parseBrl`.
 */
const BRL_NUMBER = { format: 'double' };

/** For the OpenAPI document, which can't see into a check. */
export const BRL_RANGE = { ...BRL_NUMBER, minimum: 0.01, maximum: toBrl(AMOUNT_CENTAVOS_MAX) };

const DESCRIBED = { ...BRL_RANGE, description: 'Valor em reais, com no máximo duas casas decimais.' };
const NOT_AMOUNT = issue('not_amount');
const TOO_LARGE = issue('amount_too_large', { max: formatBrl(AMOUNT_CENTAVOS_MAX) });

const wireNumber = () => z.number({ error: NOT_AMOUNT }).meta(DESCRIBED);

/** An amount above zero, at most two decimals (a third is rejected, never rounded). */
export const brlInput = z.codec(wireNumber(), z.bigint(), {
  decode(reais, payload) {
    const centavos = parseBrl(reais);
    if (centavos === null) return reject(payload, NOT_AMOUNT, { abort: true });
    return centavos <= AMOUNT_CENTAVOS_MAX ? centavos : reject(payload, TOO_LARGE);
  },
  encode: toBrl,
});

/**
 * The amount of an operation that has a range: any number of reais with at most two decimals. An
 * amount outside the range is the operation's own error, which comes after its earlier checks.
 */
export const rangedBrlInput = z.codec(wireNumber(), z.bigint(), {
  decode: (reais, payload) => readBrl(reais) ?? reject(payload, NOT_AMOUNT),
  encode: toBrl,
});

/** An amount that others are compared with; zero is one. */
export const thresholdBrlInput = z.codec(wireNumber(), z.bigint(), {
  decode(reais, payload) {
    const centavos = readBrl(reais);
    if (centavos === null || centavos < 0n) return reject(payload, NOT_AMOUNT, { abort: true });
    return centavos <= AMOUNT_CENTAVOS_MAX ? centavos : reject(payload, TOO_LARGE);
  },
  encode: toBrl,
});

/** An amount above zero, at most two decimals, without an upper limit. */
export const positiveBrlInput = z.codec(wireNumber(), z.bigint(), {
  decode(reais, payload) {
    const centavos = readBrl(reais);
    return centavos !== null && centavos > 0n ? centavos : reject(payload, NOT_AMOUNT);
  },
  encode: toBrl,
});

/** An amount in BRL that we answer, of any sign: whole centavos, as a JSON number. */
export const brlOutput = z.codec(z.number().meta(BRL_NUMBER), z.bigint(), {
  decode: (reais, payload) => readBrl(reais) ?? reject(payload, NOT_AMOUNT),
  encode: toBrl,
});

/** A share that we answer as a percentage (1.5 is 1.5 %): basis points inside. */
export const percentOutput = z.codec(z.number(), z.int(), {
  decode: (percent) => Math.round(percent * BPS_PER_PERCENT),
  encode: (bps) => bps / BPS_PER_PERCENT,
});
const BPS_PER_PERCENT = 100;

/** A quantity of a coin that we answer, or its price in BRL, as a JSON number: 10^-8 inside. */
export const unitsOutput = z.codec(z.number(), z.bigint(), {
  decode: (number, payload) => parseUnits(number.toFixed(UNIT_DECIMALS)) ?? reject(payload, NOT_AMOUNT),
  encode: unitsToNumber,
});

/** The same as an exact decimal text, because a double does not carry every quantity. */
export const unitsTextOutput = z.codec(z.string(), z.bigint(), {
  decode: (text, payload) => parseUnits(text) ?? reject(payload, NOT_AMOUNT),
  encode: unitsToDecimal,
});
