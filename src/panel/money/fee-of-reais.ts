import { feeOf } from '#domain/accounts/fees.ts';
import { parseBrl, toBrl } from '#domain/values/money.ts';

/**
 * What a fee takes of an amount and what is left, in reais, reckoned as the service does it; null
 * for what is no amount.
 */
export function feeOfReais(
  reais: number | null,
  fee: { percent: number; fixed: number },
): { fee: number; net: number } | null {
  const centavos = parseBrl(reais);
  if (centavos === null) return null;
  // A percentage of two decimals at most is a whole number of basis points, whatever its double
  // says.
  const taken = feeOf(centavos, { bps: Math.round(fee.percent * 100), fixedCentavos: parseBrl(fee.fixed) ?? 0n });
  return { fee: toBrl(taken), net: toBrl(centavos - taken) };
}
