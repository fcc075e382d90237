import { fact, type PspProfile } from './psp-profile.ts';

/** Itaú's own document, in a client that was generated from it. */
const SPECIFICATION =
  'https://github.com/tiagoskabrazil/pixrecebimentos-itau/blob/3f17fc5/docs/openapi_pix_recebimentos_ext_v2.json';
const ADDRESSES = 'https://github.com/mastria/api-itau/blob/b40cf79/src/Itau/API/Environment.php';
const CLIENT = 'https://github.com/mastria/api-itau/blob/b40cf79/src/Itau/API/Request.php';
/** It quotes the bank's own manual. */
const CALLBACKS = 'https://github.com/bacen/pix-api/issues/313';
const ACBR = 'https://github.com/frones/ACBr/blob/39a1a016/Fontes/ACBrPIXCD/ACBrPIXPSPItau.pas';

export const itau: PspProfile = {
  name: 'Itaú',
  hosts: { 'secure.api.itau': { tokenUrl: 'https://sts.itau.com.br/api/oauth/token' } },
  baseUrl: fact(SPECIFICATION, 'https://secure.api.itau/pix_recebimentos/v2'),
  // As in github.com/bacen/pix-api/issues/531; Projeto ACBr's client has it at /as/token.oauth2.
  tokenUrl: fact(ADDRESSES, 'https://sts.itau.com.br/api/oauth/token'),
  mtls: fact(ACBR, true),
  scopes: null,
  dialect: {
    clientIn: 'body',
    namesScopes: false,
    headers: [{ path: /^\//, name: 'x-itau-apikey', value: (clientId) => clientId }],
  },
  can: {
    cobv: fact(SPECIFICATION, true),
    lotecobv: fact(SPECIFICATION, true),
    rec: null,
    solicrec: null,
    list: fact(SPECIFICATION, true),
    disputes: null,
    balance: null,
    payouts: null,
    webhookMtls: fact(CALLBACKS, true),
  },
  routes: {},
  notes: [
    fact(ACBR, 'A token is asked for with client and secret in the body, and no scopes.'),
    fact(CLIENT, 'The client’s id goes with every call, as x-itau-apikey.'),
    fact(SPECIFICATION, 'A list may be answered with 204, without a body.'),
  ],
};
