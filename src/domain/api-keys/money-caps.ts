/**
 * The most that the key of an assistant may ask for, in centavos: in one call, and on one day of
 * São Paulo, what waits for its confirmation included.
 */
export type MoneyCaps = { callCentavos: bigint; dayCentavos: bigint };
