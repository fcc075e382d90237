import { expect, test } from 'vitest';
import { connectInput } from '#contract/providers/providers.ts';
import { type ConnectValues, inputOf } from './use-connect-form.ts';

const VALUES: ConnectValues = {
  ...{ provider: 'efi', client_id: 'id', client_secret: 'secret', pix_key: 'loja@example.com', format: 'pem' },
  ...{ certificate: 'PEM', private_key: 'KEY', pkcs12: 'P12', passphrase: 'senha', app_key: 'key' },
  ...{ account_number: '1234567-8', api_key: 'api' },
};

test('the client is given in place of the secret that Sicoob does not issue, and what is of another PSP is not given', () => {
  expect(inputOf('api_pix', { ...VALUES, provider: 'sicoob' })).toMatchObject({ client_secret: 'id', app_key: null });
  expect(inputOf('api_pix', { ...VALUES, provider: 'bb' })).toMatchObject({
    ...{ client_secret: 'secret', app_key: 'key', account_number: null },
  });
  const inter = inputOf('api_pix', { ...VALUES, provider: 'inter' });
  expect(inter).toMatchObject({ app_key: null, account_number: '1234567-8' });
  expect(connectInput.parse(inter)).toMatchObject({ account_number: '12345678' });
  expect(connectInput.safeParse({ ...inter, account_number: '12a' }).success).toBe(false);
  expect(connectInput.parse({ ...inter, account_number: '  ' })).toMatchObject({ account_number: null });
});
