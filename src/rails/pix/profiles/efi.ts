import { fact, type PspProfile } from './psp-profile.ts';

const CREDENTIALS = 'https://dev.efipay.com.br/docs/api-pix/credenciais/';
const SENDING = 'https://dev.efipay.com.br/docs/api-pix/envio-pagamento-pix/';
const OWN_ROUTES = 'https://dev.efipay.com.br/docs/api-pix/endpoints-exclusivos-efi/';
const WEBHOOKS = 'https://dev.efipay.com.br/docs/api-pix/webhooks/';
/** Efí's own client: every route that it has. */
const SDK = 'https://github.com/efipay/sdk-node-apis-efi/blob/2728b67/src/lib/constants.js';

export const efi: PspProfile = {
  name: 'Efí',
  hosts: {
    'pix.api.efipay.com.br': { tokenUrl: 'https://pix.api.efipay.com.br/oauth/token' },
    'pix-h.api.efipay.com.br': { tokenUrl: 'https://pix-h.api.efipay.com.br/oauth/token' },
  },
  baseUrl: fact(SDK, 'https://pix.api.efipay.com.br/v2'),
  tokenUrl: fact(SDK, 'https://pix.api.efipay.com.br/oauth/token'),
  mtls: fact(CREDENTIALS, true),
  scopes: fact(CREDENTIALS, [
    ...['cob.read', 'cob.write', 'pix.read', 'pix.write', 'webhook.read', 'webhook.write'],
    ...['cobv.read', 'cobv.write', 'lotecobv.read', 'lotecobv.write', 'pix.send', 'gn.pix.send.read'],
    ...['rec.read', 'rec.write', 'cobr.read', 'cobr.write', 'solicrec.read', 'solicrec.write'],
    ...['gn.infractions.read', 'gn.infractions.write', 'gn.balance.read'],
  ]),
  dialect: {
    clientIn: 'header',
    // Else it registers only an address whose server demands a client certificate. It sends its own
    // all the same.
    headers: [{ path: /^\/webhook\//, name: 'x-skip-mtls-checking', value: 'true' }],
  },
  can: {
    cobv: fact(SDK, true),
    lotecobv: fact(SDK, true),
    rec: fact(SDK, true),
    solicrec: fact(SDK, true),
    list: fact(SDK, true),
    disputes: fact(OWN_ROUTES, true),
    balance: fact(OWN_ROUTES, true),
    payouts: fact(SENDING, true),
    webhookMtls: fact(WEBHOOKS, true),
  },
  routes: {
    disputes: { path: '/v2/gn/infracoes', scope: 'gn.infractions.read' },
    balance: { path: '/v2/gn/saldo?bloqueios=true', scope: 'gn.balance.read' },
    payouts: {
      path: '/v2/gn/pix/enviados/id-envio/{id}',
      scope: 'gn.pix.send.read',
      id: '00000000000000000000000000000000',
    },
  },
  notes: [
    fact(SENDING, 'A key sends only while a webhook is registered for it.'),
    fact(WEBHOOKS, 'It posts to the address of a webhook while it registers it, and wants a 200.'),
    fact(OWN_ROUTES, 'Disputes need scopes of their own, and are switched off in its test environment.'),
  ],
};
