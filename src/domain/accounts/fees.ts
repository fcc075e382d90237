/** An account's fee for one kind of transaction: basis points of the amount plus a fixed part. */
export type Fee = { bps: number; fixedCentavos: bigint };

/** The fee of an account for which none was agreed. */
export const FREE: Fee = { bps: 0, fixedCentavos: 0n };

/** 100 %: a larger share of the amount could never be taken. */
export const FEE_BPS_MAX = 10_000;

/** R$ 100,000.00: far above any real tariff, so a larger one is a typing mistake. */
export const FEE_FIXED_CENTAVOS_MAX = 100_000_00n;

/** `99bps+10`, `99bps`, `+10`; a bare number is the fixed part too, so `10` is `+10`. */
const FEE_TEXT = /^(?:(?<bps>\d{1,5})bps)?(?:\+(?<fixed>\d{1,8}))?$|^(?<bare>\d{1,8})$/;

/**
 * Reads a fee as the operator writes it: `99bps+10` is 0.99 % plus 10 centavos. Null for any other
 * text.
 */
export function parseFee(text: string): Fee | null {
  const groups = text === '' ? undefined : FEE_TEXT.exec(text)?.groups;
  if (groups === undefined) return null;
  const bps = Number(groups.bps ?? 0);
  const fixedCentavos = BigInt(groups.fixed ?? groups.bare ?? 0);
  return bps <= FEE_BPS_MAX && fixedCentavos <= FEE_FIXED_CENTAVOS_MAX ? { bps, fixedCentavos } : null;
}

/**
 * The least that the basis points take: rounded down to zero, they would make an amount that is
 * split into many small parts free of fees.
 */
const SHARE_CENTAVOS_MIN = 1n;

/**
 * Returns the fee of an amount, in centavos: the basis points rounded half up to the centavo, one
 * centavo at least, plus the fixed part, and at most the amount. For the basis points, an amount in
 * parts pays at most half a centavo a part less than as a whole, and at least a centavo a part. The
 * cap is there because a charge is never rejected for being smaller than its fee: the payer's money
 * is already on its way, so the merchant gets nothing of it, but never owes for having been paid.
 * @throws RangeError for a negative amount.
 */
export function feeOf(amountCentavos: bigint, fee: Fee): bigint {
  if (amountCentavos < 0n) throw new RangeError('A fee is taken of an amount of zero or more.');
  const rounded = (amountCentavos * BigInt(fee.bps) + 5_000n) / 10_000n;
  const share = fee.bps > 0 && rounded < SHARE_CENTAVOS_MIN ? SHARE_CENTAVOS_MIN : rounded;
  const total = share + fee.fixedCentavos;
  return total < amountCentavos ? total : amountCentavos;
}
