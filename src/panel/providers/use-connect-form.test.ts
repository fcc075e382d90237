import { expect, test } from 'vitest';
import { type ConnectValues, inputOf } from './use-connect-form.ts';

const VALUES: ConnectValues = {
  ...{ provider: 'efi', client_id: 'id', client_secret: 'secret', pix_key: 'loja@example.com', format: 'pem' },
  ...{ certificate: 'PEM', private_key: 'KEY', pkcs12: 'P12', passphrase: 'senha', app_key: 'key', api_key: 'api' },
};

test('the client is given in place of the secret that Sicoob does not issue, and what is of another PSP is not given', () => {
  expect(inputOf('api_pix', { ...VALUES, provider: 'sicoob' })).toMatchObject({ client_secret: 'id', app_key: null });
  expect(inputOf('api_pix', { ...VALUES, provider: 'bb' })).toMatchObject({ client_secret: 'secret', app_key: 'key' });
});
