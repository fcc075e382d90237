import { fact, type PspProfile } from './psp-profile.ts';

/** Clients of third parties, because the bank's own pages are behind a sign-in. */
const ACBR = 'https://github.com/frones/ACBr/blob/ae2b6314/Fontes/ACBrPIXCD/ACBrPIXPSPSantander.pas';
const HYPERSWITCH =
  'https://github.com/juspay/hyperswitch/blob/000d6c1/crates/hyperswitch_connectors/src/connectors/santander.rs';
const CODES =
  'https://github.com/juspay/hyperswitch/blob/11b8d44/crates/hyperswitch_connectors/src/connectors/santander/transformers.rs';

export const santander: PspProfile = {
  name: 'Santander',
  hosts: {
    'trust-pix.santander.com.br': {
      tokenUrl: 'https://trust-pix.santander.com.br/oauth/token?grant_type=client_credentials',
    },
    'trust-pix-h.santander.com.br': {
      tokenUrl: 'https://trust-pix-h.santander.com.br/oauth/token?grant_type=client_credentials',
    },
  },
  baseUrl: fact(ACBR, 'https://trust-pix.santander.com.br/api/v1'),
  tokenUrl: fact(HYPERSWITCH, 'https://trust-pix.santander.com.br/oauth/token?grant_type=client_credentials'),
  mtls: fact(HYPERSWITCH, true),
  scopes: null,
  dialect: { clientIn: 'body', namesScopes: false, listsInSeconds: true },
  can: {
    cobv: fact(HYPERSWITCH, true),
    lotecobv: null,
    rec: null,
    solicrec: null,
    list: fact(ACBR, true),
    disputes: null,
    balance: null,
    payouts: null,
    webhookMtls: null,
  },
  routes: {},
  notes: [
    fact(HYPERSWITCH, 'A token is asked for with the grant in the address, the client in the body and no scopes.'),
    fact(CODES, 'Charges come without a code: it is made from the location of the payload.'),
    fact(ACBR, 'GET /pix takes times in whole seconds only.'),
    fact(ACBR, 'This client cancels a charge under /api/v2, where Trilho uses /api/v1 for everything.'),
  ],
};
