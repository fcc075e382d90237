import { MAGIC_CENTS, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';

/** The simulator pays a charge whose cents ask for it this long after its creation. */
export const CHARGE_PAID_AFTER_SECONDS = 3;

type ChargeMagic = (typeof MAGIC_CENTS.pixChargeCents)[keyof typeof MAGIC_CENTS.pixChargeCents];
export type DisputeMagic = (typeof MAGIC_CENTS.pixDisputeCents)[keyof typeof MAGIC_CENTS.pixDisputeCents];
type PayoutMagic = (typeof MAGIC_CENTS.pixPayoutCents)[keyof typeof MAGIC_CENTS.pixPayoutCents];

/** Returns the outcome that the cents of `valor`, e.g. `37.01`, choose for a charge. */
export function chargeMagic(valor: string): ChargeMagic | undefined {
  return ofCents(MAGIC_CENTS.pixChargeCents, valor);
}

/** Returns the outcome that the cents of `valor`, e.g. `37.51`, choose for a dispute. */
export function disputeMagic(valor: string): DisputeMagic | undefined {
  return ofCents(MAGIC_CENTS.pixDisputeCents, valor);
}

/** Returns the outcome that the cents of `valor`, e.g. `37.11`, choose for a payout. */
export function payoutMagic(valor: string): PayoutMagic | undefined {
  return ofCents(MAGIC_CENTS.pixPayoutCents, valor);
}

/** Whether the cents of `valor`, e.g. `37.16`, make a key's owner change from day to day. */
export const changesHands = (valor: string): boolean => ofCents(MAGIC_CENTS.pixKeyCents, valor) !== undefined;

export const isUnknownPixKey = (key: string): boolean => key === UNKNOWN_PIX_KEY;

function ofCents<T>(byCents: Record<string, T>, valor: string): T | undefined {
  return new Map(Object.entries(byCents)).get(valor.slice(-2));
}
