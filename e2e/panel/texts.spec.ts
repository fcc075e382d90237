import { expect, test } from './fixtures.ts';
import { textsIn } from './texts.ts';

const ABOVE = 'Acima de {amount} um saque espera uma segunda pessoa.';
const COUNT = '{count, plural, one {# pagamento} other {# pagamentos}}';

test('a text of the catalogue is given in the language of the browser, with its values', () => {
  expect(textsIn('pt-BR')(ABOVE, { amount: 'R$ 50,00' })).toBe('Acima de R$ 50,00 um saque espera uma segunda pessoa.');
  expect(textsIn('en')(ABOVE, { amount: 'R$ 50.00' })).toBe('Above R$ 50.00 a withdrawal awaits a second person.');
  expect(textsIn('pt-BR')(COUNT, { count: 50 })).toBe('50 pagamentos');
  expect(textsIn('en')(COUNT, { count: 1 })).toBe('1 payment');
});

test('a text that the catalogue does not have, or has without the value, fails the flow that asks for it', () => {
  for (const text of [textsIn('pt-BR'), textsIn('en')]) {
    expect(() => text('Nenhum texto é assim')).toThrow('No text of the catalogue is “Nenhum texto é assim”.');
    expect(() => text(ABOVE)).toThrow('amount');
  }
});

test('a text that English says in several ways is given only under the beginning of its path', () => {
  const text = textsIn('en');
  expect(() => text('Recusar')).toThrow('operator.verification.reject: Reject');
  expect(text('Recusar', {}, 'panel.transactions')).toBe('Decline');
  expect(text('Recusar', {}, 'operator')).toBe('Reject');
  // The beginning of a path is made of whole names.
  expect(() => text('Recusar', {}, 'oper')).toThrow('No text of the catalogue under oper is “Recusar”.');
});

test.describe('with a browser in English', () => {
  test.use({ locale: 'en-US' });

  test('the fixtures give its texts and figures', ({ text, formats }) => {
    expect(text('Entrar')).toBe('Sign in');
    expect(formats.reais(1234.5)).toBe('R$\u00a01,234.50');
  });
});
