import { fact, type PspProfile } from './psp-profile.ts';

/** Clients of third parties, because the bank's own pages are behind a sign-in. */
const CLIENT = 'https://github.com/laddertech/pypix-api/blob/24be861/pypix_api/banks/bb.py';
const SCOPES = 'https://github.com/laddertech/pypix-api/blob/24be861/pypix_api/scopes/bb.py';
const OTHER_CLIENT = 'https://github.com/vinhais/bb-pix-go';
const LIST_CLIENT = 'https://github.com/higorocha/SistemaWebAlencarFrutas/blob/8e0aff7/backend/src/pix/pix.service.ts';
const CERTIFICATES = 'https://github.com/bacen/pix-api/issues/670';

export const bancoDoBrasil: PspProfile = {
  name: 'Banco do Brasil',
  hosts: {
    'api-pix.bb.com.br': { tokenUrl: 'https://oauth.bb.com.br/oauth/token' },
    // For tests, as github.com/imobanco/bb-wrapper (pix_cob.py), TRscPix and Projeto ACBr have it.
    'api.hm.bb.com.br': { tokenUrl: 'https://oauth.hm.bb.com.br/oauth/token' },
    'api-pix.hm.bb.com.br': { tokenUrl: 'https://oauth.hm.bb.com.br/oauth/token' },
  },
  baseUrl: fact(CLIENT, 'https://api-pix.bb.com.br/pix/v2'),
  tokenUrl: fact(CLIENT, 'https://oauth.bb.com.br/oauth/token'),
  mtls: fact(OTHER_CLIENT, true),
  scopes: fact(SCOPES, [
    ...['cob.read', 'cob.write', 'cobv.read', 'cobv.write', 'lotecobv.read', 'lotecobv.write'],
    ...['pix.read', 'pix.write', 'webhook.read', 'webhook.write', 'rec.read', 'rec.write'],
    ...['cobr.read', 'cobr.write', 'solicrec.read', 'solicrec.write'],
  ]),
  dialect: { clientIn: 'header', listDaysMax: 5 },
  can: {
    cobv: fact(SCOPES, true),
    lotecobv: fact(SCOPES, true),
    rec: fact(SCOPES, true),
    solicrec: fact(SCOPES, true),
    list: fact(CLIENT, true),
    disputes: null,
    balance: null,
    payouts: null,
    webhookMtls: fact(CERTIFICATES, true),
  },
  routes: {},
  notes: [
    fact(
      OTHER_CLIENT,
      'Every call carries the application’s key: end PIX_PSP_URL with ?gw-dev-app-key=KEY, it goes with each.',
    ),
    fact(LIST_CLIENT, 'GET /pix takes five days at most: a longer period is asked for in parts.'),
  ],
};
