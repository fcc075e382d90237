import { fact, type PspProfile } from './psp-profile.ts';

/** Inter's own client. */
const SDK = 'https://github.com/inter-co/pj-sdk-java/blob/6575053/src/main/java/inter/sdk/commons';
const ROUTES = `${SDK}/structures/Constants.java`;
/** A client of a third party; Inter's own does not have Pix Automático yet. */
const AUTOMATIC = 'https://github.com/edusouza/inter-pj-cli';

export const inter: PspProfile = {
  name: 'Inter',
  hosts: {
    'cdpj.partners.bancointer.com.br': { tokenUrl: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token' },
    'cdpj-sandbox.partners.uatinter.co': { tokenUrl: 'https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token' },
  },
  baseUrl: fact(ROUTES, 'https://cdpj.partners.bancointer.com.br/pix/v2'),
  tokenUrl: fact(ROUTES, 'https://cdpj.partners.bancointer.com.br/oauth/v2/token'),
  mtls: fact(ROUTES, true),
  scopes: fact(ROUTES, [
    ...['cob.read', 'cob.write', 'pix.read', 'pix.write', 'webhook.read', 'webhook.write'],
    ...['cobv.read', 'cobv.write', 'lotecobv.read', 'lotecobv.write', 'payloadlocation.read'],
    ...['payloadlocation.write', 'pagamento-pix.read', 'pagamento-pix.write'],
  ]),
  dialect: { clientIn: 'body', headerParameters: ['x-conta-corrente'] },
  can: {
    cobv: fact(ROUTES, true),
    lotecobv: fact(ROUTES, true),
    rec: fact(AUTOMATIC, true),
    solicrec: fact(AUTOMATIC, true),
    list: fact(ROUTES, true),
    disputes: null,
    balance: null,
    payouts: fact(ROUTES, true),
    webhookMtls: null,
  },
  routes: {
    payouts: {
      path: '/banking/v2/pix/{id}',
      scope: 'pagamento-pix.read',
      id: '00000000-0000-4000-8000-000000000000',
    },
  },
  notes: [
    fact(`${SDK}/auth/GetToken.java`, 'Client and secret go in the body of the request for a token.'),
    fact(
      'https://github.com/inter-co/pj-sdk-java/blob/7c73569/src/main/java/inter/sdk/commons/utils/HttpUtils.java',
      'A client that has several accounts names one in each call: end PIX_PSP_URL with ?x-conta-corrente=NUMBER.',
    ),
    fact('https://github.com/phpay-io/phpay/releases/tag/v2.8.0', 'A callback’s body is the list itself.'),
    fact(ROUTES, 'It sends PIX by a route of its own, which Trilho does not speak: it receives only.'),
  ],
};
