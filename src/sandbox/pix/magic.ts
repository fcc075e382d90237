import { MAGIC_CENTS, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';

/**
 * A charge whose cents say that it is paid is paid by the simulator so many seconds after it was
 * created.
 */
export const CHARGE_PAID_AFTER_SECONDS = 3;

type ChargeMagic = (typeof MAGIC_CENTS.pixChargeCents)[keyof typeof MAGIC_CENTS.pixChargeCents];
export type DisputeMagic = (typeof MAGIC_CENTS.pixDisputeCents)[keyof typeof MAGIC_CENTS.pixDisputeCents];
type PayoutMagic = (typeof MAGIC_CENTS.pixPayoutCents)[keyof typeof MAGIC_CENTS.pixPayoutCents];

/** @param valor an amount on the wire, e.g. `37.01` */
export function chargeMagic(valor: string): ChargeMagic | undefined {
  return ofCents(MAGIC_CENTS.pixChargeCents, valor);
}

/** @param valor an amount on the wire, e.g. `37.51` */
export function disputeMagic(valor: string): DisputeMagic | undefined {
  return ofCents(MAGIC_CENTS.pixDisputeCents, valor);
}

/** @param valor an amount on the wire, e.g. `37.11` */
export function payoutMagic(valor: string): PayoutMagic | undefined {
  return ofCents(MAGIC_CENTS.pixPayoutCents, valor);
}

/** @param valor an amount on the wire, e.g. `37.16` */
export const changesHands = (valor: string): boolean => ofCents(MAGIC_CENTS.pixKeyCents, valor) !== undefined;

export const isUnknownPixKey = (key: string): boolean => key === UNKNOWN_PIX_KEY;

function ofCents<T>(byCents: Record<string, T>, valor: string): T | undefined {
  return new Map(Object.entries(byCents)).get(valor.slice(-2));
}
