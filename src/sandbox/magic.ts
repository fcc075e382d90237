/**
 * Magic values: what a merchant's own tests write into a request to choose its outcome, the same in every installation.
 * They win over the switches. The documentation has one page of them, which is checked against this table.
 *
 * Cents are the last two digits of the amount that the PSP is asked for: a charge's, or what a payout's receiver gets.
 */
export const MAGIC = {
  /**
   * - `paid`: the simulator pays it by itself, `chargePaidAfterSeconds` after it was created.
   * - `never_paid`: nobody can pay it, it stays as it is until it expires.
   * - `paid_out_of_order`: paid as above; its callback comes twice, the second time after the next payment's callback.
   */
  pixChargeCents: { '01': 'paid', '02': 'never_paid', '04': 'paid_out_of_order' },
  chargePaidAfterSeconds: 3,
  /** The cents of a payout, and the value of the switch `pix.payout` that they stand for. */
  pixPayoutCents: { '11': 'done', '12': 'refused', '13': 'rejected', '14': 'silent_done', '15': 'silent_lost' },
  /** PIX keys that the directory does not know. The check digits are right, so that it has to be asked. */
  unknownPixKeys: ['00000000191'],
} as const;

type ChargeMagic = (typeof MAGIC.pixChargeCents)[keyof typeof MAGIC.pixChargeCents];
type PayoutMagic = (typeof MAGIC.pixPayoutCents)[keyof typeof MAGIC.pixPayoutCents];

/** @param valor an amount on the wire, e.g. `37.01` */
export function chargeMagic(valor: string): ChargeMagic | undefined {
  return ofCents(MAGIC.pixChargeCents, valor);
}

/** @param valor an amount on the wire, e.g. `37.11` */
export function payoutMagic(valor: string): PayoutMagic | undefined {
  return ofCents(MAGIC.pixPayoutCents, valor);
}

export function isUnknownPixKey(key: string): boolean {
  return (MAGIC.unknownPixKeys as readonly string[]).includes(key);
}

function ofCents<T>(byCents: Record<string, T>, valor: string): T | undefined {
  return new Map(Object.entries(byCents)).get(valor.slice(-2));
}
