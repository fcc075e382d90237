/**
 * The most that an assistant's key may request, in centavos: in one call, and on one day of São
 * Paulo, including what still waits for a confirmation.
 */
export type MoneyCaps = { callCentavos: bigint; dayCentavos: bigint };
