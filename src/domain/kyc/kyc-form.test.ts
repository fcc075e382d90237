import { expect, test } from 'vitest';
import { type KycForm, kycFieldIssue, kycFormIssues, normaliseKycForm } from './kyc-form.ts';

const TODAY = '2026-11-21';

const address = {
  zip: '01310-100',
  street: 'Avenida Paulista',
  number: '1000',
  complement: '',
  district: 'Bela Vista',
};
const place = { ...address, city: 'São Paulo', state: 'sp' };
const company: KycForm<'company'> = {
  kind: 'company',
  legal_name: ' Loja Azul Comércio Ltda. ',
  trade_name: '',
  cnpj: '12.abc.345/01DE-35',
  opened_on: '2019-03-04',
  site: 'lojaazul.example.com',
  monthly_volume: '050000',
  ...place,
  representative_name: 'Maria da Silva',
  representative_cpf: '123.456.789-09',
};
const person: KycForm<'person'> = {
  kind: 'person',
  name: 'João d’Ávila',
  cpf: '12345678909',
  born_on: '1990-02-28',
  occupation: 'Confeiteiro',
  ...place,
};

test('a whole form has no issues, and is kept in one spelling', () => {
  expect(kycFormIssues(company, TODAY)).toEqual([]);
  expect(kycFormIssues(person, TODAY)).toEqual([]);
  expect(normaliseKycForm(company)).toEqual({
    ...company,
    legal_name: 'Loja Azul Comércio Ltda.',
    cnpj: '12ABC34501DE35',
    site: 'https://lojaazul.example.com/',
    monthly_volume: '50000',
    zip: '01310100',
    state: 'SP',
    representative_cpf: '12345678909',
  });
});

test('a field that is not asked for is not kept', () => {
  const more = { ...person, role: 'operator' } as KycForm;
  expect(normaliseKycForm(more)).not.toHaveProperty('role');
});

test('every issue of a form is reported at once, in the order of its fields', () => {
  const issues = kycFormIssues({ ...person, name: ' ', cpf: '12345678900', state: 'XX' }, TODAY);
  expect(issues).toEqual([
    { field: 'name', issue: 'empty', params: {} },
    { field: 'cpf', issue: 'not_document', params: { type: 'CPF' } },
    { field: 'state', issue: 'not_state', params: {} },
  ]);
});

test.each([
  ['opened_on', '2026-11-21', null],
  ['opened_on', '2026-11-22', 'in_future'],
  ['opened_on', '2023-02-29', 'no_such_date'],
  ['opened_on', '21/11/2020', 'no_such_date'],
  ['opened_on', '0026-11-21', 'no_such_date'],
  ['cnpj', '11222333000181', null],
  ['cnpj', '11222333000182', 'not_document'],
  ['cnpj', '12345678909', 'not_document'],
  ['zip', '0131010', 'not_zip_code'],
  ['monthly_volume', '0', 'not_whole_reais'],
  ['monthly_volume', '12,50', 'not_whole_reais'],
  ['monthly_volume', '9999999999', 'not_whole_reais'],
  ['trade_name', '', null],
  ['legal_name', 'a'.repeat(201), 'too_long'],
  ['legal_name', '🏪'.repeat(200), null],
  ['legal_name', 'Loja\u001b[2J', 'invalid_characters'],
  ['legal_name', 'Loja \u202eluzA', 'invalid_characters'],
  ['site', '', null],
  ['site', 'https://maria:senha@loja.example', 'not_site'],
  ['site', 'javascript:alert(1)', 'not_site'],
  ['site', 'ftp://loja.example', 'not_site'],
  ['site', 'localhost', 'not_site'],
] as const)('%s of "%s": %s', (field, value, issue) => {
  expect(kycFieldIssue('company', field, value, TODAY)?.issue ?? null).toBe(issue);
});

test.each([
  ['2008-11-21', null],
  ['2008-11-22', 'under_age'],
  ['2008-02-29', null],
  ['2026-11-22', 'in_future'],
])('a person born on %s: %s', (bornOn, issue) => {
  expect(kycFieldIssue('person', 'born_on', bornOn, TODAY)?.issue ?? null).toBe(issue);
});

test('without today’s date a birth is only read', () => {
  expect(kycFieldIssue('person', 'born_on', '2026-12-24')).toBeNull();
});
