/**
 * What is left of a payment of which `returnedCentavos` went back; never below zero, although a PSP
 * may give back more than was paid, where it carries out a return beside another one.
 */
export const leftOf = (centavos: bigint, returnedCentavos: bigint): bigint =>
  centavos > returnedCentavos ? centavos - returnedCentavos : 0n;
