/**
 * Rejections of the routes for sending, in Efí's own shape instead of RFC 7807 (dev.efipay.com.br,
 * "Envio e Pagamento Pix" and "Gestão de Pix"). What Efí does not document is marked as assumed.
 */
import { Problem, type Violation } from '../problems.ts';

/** Why a PIX did not reach its receiver. */
export type SpiFailure = { codigo: string; origem: string; motivo: string };

/** The sandbox's only failure: the receiver's bank has no such account. */
export const ACCOUNT_NOT_FOUND: SpiFailure = {
  codigo: 'AC03',
  origem: 'PSP do usuário recebedor',
  motivo: 'Número da agência e/ou conta transacional do usuário recebedor inexistente ou inválido',
};

export const foreignKey = () =>
  efiError(400, 'chave_invalida', 'A chave informada não faz referência à conta Efí autenticada');

/** Efí documents the rule; the text is assumed. */
export const keyWithoutWebhook = () =>
  efiError(400, 'webhook_nao_cadastrado', 'A chave do pagador deve possuir um webhook cadastrado');

export const zeroAmount = () => efiError(400, 'valor_invalido', 'Campo valor deve ser maior que zero');

export const invalidJson = (violacoes: Violation[] = []) =>
  efiError(400, 'json_invalido', 'Valores ou tipos de campo inválidos', {
    erros: violacoes.map(({ propriedade, razao }) => ({
      chave: propriedade.slice(propriedade.lastIndexOf('.') + 1),
      caminho: propriedade,
      mensagem: razao,
    })),
  });

/** The text is assumed. */
export const unknownPayeeKey = () =>
  efiError(404, 'chave_favorecido_nao_encontrada', 'A chave informada não foi encontrada');

export const usedId = () =>
  efiError(409, 'id_envio_duplicado', 'O id de envio informado já foi utilizado em outro pagamento');

/** That a rejection carries the network's code, and where, is assumed. */
export const deniedPayment = (erro: SpiFailure) =>
  efiError(422, 'pagamento_negado', 'Pagamento negado por análises', { gnExtras: { erro } });

function efiError(status: number, nome: string, mensagem: string, more: object = {}): Problem {
  return new Problem(status, { nome, mensagem, ...more }, { 'content-type': 'application/json' });
}
