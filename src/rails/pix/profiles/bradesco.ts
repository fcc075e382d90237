import { fact, type PspProfile } from './psp-profile.ts';

/** Clients of third parties, because the bank's own pages are behind a sign-in. */
const ACBR = 'https://github.com/frones/ACBr/blob/39a1a016/Fontes/ACBrPIXCD/ACBrPIXPSPBradesco.pas';
const OTHER_CLIENT =
  'https://github.com/OpenSourceCommunityBrasil/TRscPix/blob/c18f1b0/Componente/source/Classes/RscPixPSP.pas';
const SCOPES = 'https://github.com/OpenSourceCommunityBrasil/TRscPix/blob/c18f1b0/Componente/Source/RscPix.pas';

export const bradesco: PspProfile = {
  name: 'Bradesco',
  hosts: {
    'qrpix.bradesco.com.br': { tokenUrl: 'https://qrpix.bradesco.com.br/oauth/token' },
    'qrpix-h.bradesco.com.br': { tokenUrl: 'https://qrpix-h.bradesco.com.br/oauth/token' },
  },
  baseUrl: fact(ACBR, 'https://qrpix.bradesco.com.br/v2'),
  tokenUrl: fact(OTHER_CLIENT, 'https://qrpix.bradesco.com.br/oauth/token'),
  mtls: fact(ACBR, true),
  scopes: fact(SCOPES, ['cob.read', 'cob.write', 'pix.read', 'pix.write']),
  dialect: { clientIn: 'header' },
  can: {
    cobv: fact(ACBR, true),
    lotecobv: null,
    rec: null,
    solicrec: null,
    list: null,
    disputes: null,
    balance: null,
    payouts: null,
    webhookMtls: null,
  },
  routes: {},
  notes: [
    fact(OTHER_CLIENT, 'It has routes of its own for charges with a code, /cob-emv; Trilho uses the standard’s.'),
  ],
};
