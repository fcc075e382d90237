import { fact, type PspProfile } from './psp-profile.ts';

/** A third party's summary of Sicredi's technical guide 1.9.5, which itself is not public. */
const GUIDE = 'https://github.com/laddertech/pypix-api/blob/24be861/docs/Sicredi/RELATORIO_VIABILIDADE_SICREDI.md';
const CLIENT = 'https://github.com/laddertech/pypix-api/blob/24be861/pypix_api/banks/sicredi.py';

export const sicredi: PspProfile = {
  name: 'Sicredi',
  hosts: {
    'api-pix.sicredi.com.br': { tokenUrl: 'https://api-pix.sicredi.com.br/oauth/token' },
    'api-pix-h.sicredi.com.br': { tokenUrl: 'https://api-pix-h.sicredi.com.br/oauth/token' },
  },
  baseUrl: fact(GUIDE, 'https://api-pix.sicredi.com.br/api/v2'),
  tokenUrl: fact(GUIDE, 'https://api-pix.sicredi.com.br/oauth/token'),
  mtls: fact(GUIDE, true),
  scopes: fact(GUIDE, [
    ...['cob.read', 'cob.write', 'cobv.read', 'cobv.write', 'lotecobv.read', 'lotecobv.write'],
    ...['cobr.read', 'cobr.write', 'webhook.read', 'webhook.write', 'pix.read'],
  ]),
  dialect: {
    clientIn: 'header',
    versions: [
      { path: /^\/cob\/./, version: 'v3' },
      { path: /^\/(rec|cobr|locrec|solicrec|webhookrec|webhookcobr)\b/, version: 'v1' },
    ],
  },
  can: {
    cobv: fact(GUIDE, true),
    lotecobv: fact(CLIENT, true),
    rec: fact(GUIDE, true),
    solicrec: fact(GUIDE, true),
    list: fact(CLIENT, true),
    disputes: null,
    balance: null,
    payouts: null,
    webhookMtls: null,
  },
  routes: {},
  notes: [
    fact(GUIDE, 'Routes have versions of their own: cob by txid v3, Pix Automático v1, the rest v2.'),
    fact(GUIDE, 'A scope that the credentials lack is left out of the token; the route then answers 400.'),
  ],
};
