import { feeOf } from '#domain/accounts/fees.ts';
import { parseBrl, toBrl } from '#domain/values/money.ts';

/**
 * Returns what a fee takes of an amount and what is left, in reais, computed as the service does
 * it; null where there is no amount.
 */
export function feeOfReais(
  reais: number | null,
  fee: { percent: number; fixed: number },
): { fee: number; net: number } | null {
  const centavos = parseBrl(reais);
  if (centavos === null) return null;
  // A percentage has two decimals at most, so it is a whole number of basis points, whatever its
  // double says.
  const taken = feeOf(centavos, { bps: Math.round(fee.percent * 100), fixedCentavos: parseBrl(fee.fixed) ?? 0n });
  return { fee: toBrl(taken), net: toBrl(centavos - taken) };
}
