import { describe, expect, it } from 'vitest';
import { maskProviderCall } from './mask-provider-call.ts';

const TXID = '0191f3a27c417d558a3b0123456789c2';

const charge = {
  calendario: { criacao: '2026-11-20T14:01:22.000Z', expiracao: 3600 },
  txid: TXID,
  status: 'ATIVA',
  valor: { original: '100.50' },
  chave: 'loja@azul.com.br',
  devedor: { cpf: '12345678909', nome: 'Maria da Silva' },
  location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
  pixCopiaECola: '00020126360014br.gov.bcb.pix0114loja@azul.com.br6304ABCD',
  solicitacaoPagador: 'Pedido de Maria da Silva',
};

const maskBoth = (request: object | null, response: unknown, secrets: string[] = []) =>
  maskProviderCall({ request: request && JSON.stringify(request), response, secrets });

describe('the masked record of a call to a provider', () => {
  it('says what happened with the money, and nothing about people', () => {
    const { requestBody, responseBody } = maskBoth({ valor: charge.valor, devedor: charge.devedor }, charge);
    expect(JSON.parse(requestBody ?? '')).toEqual({
      valor: { original: '100.50' },
      devedor: { cpf: '***', nome: '***' },
    });
    const kept = JSON.parse(responseBody ?? '');
    expect(kept).toMatchObject({ txid: TXID, status: 'ATIVA', valor: { original: '100.50' }, chave: '***' });
    expect(`${requestBody}${responseBody}`).not.toMatch(/maria|12345678909|azul|qr\/v2|000201/i);
  });

  it('hides a member that it does not know', () => {
    const { responseBody } = maskBoth(null, { status: 'ATIVA', novidade: 'Maria', conta: 998877 });
    expect(JSON.parse(responseBody ?? '')).toEqual({ status: 'ATIVA', novidade: '***', conta: '***' });
  });

  it('keeps a provider’s words without what they quote, however it is written', () => {
    const { responseBody } = maskBoth(
      charge,
      {
        title: 'Cobrança inválida.',
        detail: 'MARIA DA SILVA (123.456.789-09) não pode pagar a loja@azul.com.br com client-secret-1',
        violacoes: [{ razao: 'o documento 123 456 789 09 é inválido', propriedade: 'cob.devedor.cpf' }],
      },
      ['client-secret-1'],
    );
    const kept = JSON.parse(responseBody ?? '');
    expect(kept.title).toBe('Cobrança inválida.');
    expect(kept.detail).toBe('*** (***) não pode pagar a *** com ***');
    expect(kept.violacoes).toEqual([{ razao: 'o documento *** é inválido', propriedade: 'cob.devedor.cpf' }]);
  });

  it('hides what has the shape of a document or an e-mail also where a member is shown', () => {
    const { responseBody } = maskBoth(null, { codigo: 'joao@example.com', original: '12345678909', status: 'ATIVA' });
    expect(JSON.parse(responseBody ?? '')).toEqual({ codigo: '***', original: '***', status: 'ATIVA' });
  });

  it('leaves a provider’s id as it is, though digits in it may pass for a document', () => {
    const id = '6b007f5cc2234147048180a3';
    expect(JSON.parse(maskBoth(null, { id, txid: TXID }).responseBody ?? '')).toEqual({ id, txid: TXID });
  });

  it('hides the name of a JSON member that is no ordinary word', () => {
    expect(maskBoth(null, { 'maria@example.com': 1 }).responseBody).toBe('{"***":"***"}');
  });

  it('masks the members of a query', () => {
    const { requestBody } = maskProviderCall({
      request: {
        to: '0x52908400098527886E0F7030069857D2E4169EE7',
        amount: '18.24',
        type: 'cash_out',
        callback_url: 'https://x/secret',
      },
      response: undefined,
      secrets: [],
    });
    expect(JSON.parse(requestBody ?? '')).toEqual({
      to: '***',
      amount: '18.24',
      type: 'cash_out',
      callback_url: '***',
    });
  });

  it('is bounded in length, however deep or wide a body is', () => {
    const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ violacoes: inner }), 'x');
    expect(maskBoth(null, deep).responseBody?.length).toBeLessThan(200);
    const wide = { pix: Array.from({ length: 5_000 }, () => ({ detail: 'd'.repeat(2_000) })) };
    expect(maskBoth(null, wide).responseBody?.length).toBeLessThan(5_000);
  });

  it('has null for a body that was not sent or did not come back', () => {
    expect(maskBoth(null, undefined)).toEqual({ requestBody: null, responseBody: null });
    expect(maskProviderCall({ request: {}, response: undefined, secrets: [] }).requestBody).toBeNull();
  });
});
