import type { PixChargeRequest } from '../../ports.ts';
import type { Answer } from './scripted-psp.ts';

// Values and bodies of API Pix 2.9.0's own examples.
export const TXID = '7978c0c97ea847e78e8849634473c1f1';
export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
export const END_TO_END_ID = 'E12345678202009091221kkkkkkkkkkk';
export const REQUEST: PixChargeRequest = {
  txid: TXID,
  amountCentavos: 3700n,
  expiresInSeconds: 3600,
  payer: { name: 'Empresa de Serviços SA', document: '12345678000195', documentType: 'cnpj' },
  description: 'Serviço realizado.',
};
export const COB = {
  calendario: { criacao: '2020-09-09T20:15:00.358Z', expiracao: 3600 },
  txid: TXID,
  revisao: 0,
  loc: { id: 789, location: 'pix.example.com/qr/9d36b84fc70b478fb95c12729b90ca25', tipoCob: 'cob' },
  location: 'pix.example.com/qr/9d36b84fc70b478fb95c12729b90ca25',
  status: 'ATIVA',
  devedor: { cnpj: '12345678000195', nome: 'Empresa de Serviços SA' },
  valor: { original: '37.00' },
  chave: PIX_KEY,
  solicitacaoPagador: 'Serviço realizado.',
  pixCopiaECola: '00020101021226...6304ABCD',
};
export const CHARGE = {
  txid: TXID,
  status: 'active',
  amountCentavos: 3700n,
  brCode: '00020101021226...6304ABCD',
  createdAt: new Date('2020-09-09T20:15:00.358Z'),
  expiresInSeconds: 3600,
  payments: [],
};
export const PIX = {
  endToEndId: END_TO_END_ID,
  txid: TXID,
  valor: '110.00',
  horario: '2020-09-09T20:15:00.358Z',
  infoPagador: '0123456789',
};
export const PAYMENT = {
  endToEndId: END_TO_END_ID,
  txid: TXID,
  amountCentavos: 11000n,
  paidAt: new Date('2020-09-09T20:15:00.358Z'),
  payerNote: '0123456789',
  refunds: [],
};
export const DEVOLUCAO = {
  id: '123ABC',
  rtrId: 'D12345678202009091221abcdf098765',
  valor: '10.00',
  horario: { solicitacao: '2020-09-09T20:15:00.358Z' },
  status: 'EM_PROCESSAMENTO',
};
/** The same devolução as the port returns it in a list of payments. */
export const LISTED_REFUND = {
  refundId: '123ABC',
  returnId: 'D12345678202009091221abcdf098765',
  amountCentavos: 1000n,
  completed: false,
  kind: 'made_at_bank',
  at: new Date('2020-09-09T20:15:00.358Z'),
};
export const PROBLEM = {
  type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
  title: 'Cobrança inválida.',
  status: 400,
  detail: 'A requisição não respeita o _schema_.',
  violacoes: [
    { razao: 'O campo cob.valor.original não respeita o _schema_.', propriedade: 'cob.valor.original', valor: '37' },
  ],
};
export const CREATED: Answer = { status: 201, body: COB };
export const UNAVAILABLE: Answer = { status: 503, body: { title: 'Serviço Indisponível' } };
