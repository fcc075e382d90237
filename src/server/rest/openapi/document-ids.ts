/**
 * What the document's examples share: the same transaction is the same one in every operation and
 * in the events.
 */

export const CHARGE_ID = '01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2';
export const SPLIT_ID = '01a1f8f4-90a0-7c18-9e27-3d4e5f6a7b8c';
export const REFUND_ID = '01a1f8f5-c9a4-7b21-8c52-6d7e8f90a1b3';
export const WITHDRAWAL_ID = '01a1f8f5-07dc-7a10-8b63-4c5d6e7f8091';
export const INVOICE_ID = '01a1f8f8-9e10-7f65-9a74-7e8f90a1b2c4';
export const CRYPTO_WITHDRAWAL_ID = '01a1f8f9-c0b1-7d34-8e5f-60718293a4b5';
export const PAYEE_ID = '01a1f8f2-11d0-7b3e-9a52-7c8091a2b3c6';
export const DISPUTE_ID = '01a1f8f4-91c0-7d55-a1b2-c3d4e5f60799';
export const DISPUTED_CHARGE_ID = '01a1f8f3-ea10-7b2c-8d51-6c7f80912a3b';
export const CUSTOMER_ACCOUNT_ID = '01a1f8fb-12c3-7e87-8d95-8f90a1b2c3d5';
export const ENDPOINT_ID = '01a1f8fc-21d4-7f98-8ea6-90a1b2c3d4e6';
export const OLD_ENDPOINT_ID = '01a1f000-32e5-7a01-9fb7-a1b2c3d4e5f8';

export const EVENT_ID = 'evt_01a1f8f50bd177a19f304d5e6f708192';
export const TEST_EVENT_ID = 'evt_01a1f8fd32e570a98fb7a1b2c3d4e5f7';

export const CREATED_AT = '2026-11-20T12:34:56.789Z';
export const PAID_AT = '2026-11-20T12:35:40.000Z';
export const REFUNDED_AT = '2026-11-20T12:37:01.218Z';

export const END_TO_END_ID = 'E99999999202611201235k3Jd82LmQ0x';
export const WITHDRAWAL_END_TO_END_ID = 'E99999999202611201236Zb7Hq41TnW9';

export const DEPOSIT_WALLET = 'TDfHvTAgCEkMhmfvf54Kz3pphedGsUu76f';
export const DESTINATION_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** What the merchant of the examples keeps with its charge. */
export const ORDER = { reference: 'pedido-1042', metadata: { loja: 'Centro', vendedora: 'Ana' } };
