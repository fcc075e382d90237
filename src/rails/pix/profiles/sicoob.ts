import { fact, type PspProfile } from './psp-profile.ts';

/** Sicoob's own clients and the documents that they are generated from. */
const SDK = 'https://github.com/Sicoob-Cooperativa/sicoob_sdk_java/blob/4cfe2c8';
const TOKENS = `${SDK}/auth/api/openapi.yaml`;
const PIX = `${SDK}/pix/api/openapi.yaml`;
const SENDING = `${SDK}/pagamentos-pix/api/openapi.yaml`;
const CLIENT = 'https://github.com/Sicoob-Cooperativa/sicoob_sdk_csharp/blob/c321890/SicoobClient.cs';

export const sicoob: PspProfile = {
  name: 'Sicoob',
  hosts: {
    'api.sicoob.com.br': {
      tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    },
  },
  baseUrl: fact(PIX, 'https://api.sicoob.com.br/pix/api/v2'),
  tokenUrl: fact(TOKENS, 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token'),
  mtls: fact(TOKENS, true),
  scopes: fact(PIX, [
    ...['cob.read', 'cob.write', 'cobv.read', 'cobv.write', 'lotecobv.read', 'lotecobv.write', 'pix.read', 'pix.write'],
    ...['webhook.read', 'webhook.write', 'payloadlocation.read', 'payloadlocation.write', 'rec.read', 'rec.write'],
    ...['solicrec.read', 'solicrec.write', 'cobr.read', 'cobr.write'],
  ]),
  dialect: {
    clientIn: 'bodyWithoutSecret',
    headers: [{ path: /^\//, name: 'client_id', value: (clientId) => clientId }],
  },
  can: {
    cobv: fact(PIX, true),
    lotecobv: fact(PIX, true),
    rec: null,
    solicrec: null,
    list: fact(PIX, true),
    disputes: null,
    balance: null,
    payouts: fact(SENDING, true),
    webhookMtls: fact(PIX, true),
  },
  routes: {},
  notes: [
    fact(TOKENS, 'It issues no secret: give the client’s id there once more, it is not sent.'),
    fact(CLIENT, 'The client’s id goes with every call, as client_id.'),
    fact(PIX, 'The code of a charge is called brcode. Callbacks are about payments with a txid only.'),
    fact(SENDING, 'That a payout which is confirmed twice is paid once is not documented: Trilho receives only.'),
  ],
};
