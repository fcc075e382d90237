import { useForm } from '@mantine/form';
import type { ConnectInput, ProviderRail } from '#contract/providers/providers.ts';
import type { Psp } from '#domain/providers/providers.ts';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';

export type ConnectValues = {
  provider: Psp | 'plisio' | 'sandbox';
  client_id: string;
  client_secret: string;
  pix_key: string;
  format: 'pem' | 'pkcs12';
  /** PEM. */
  certificate: string;
  private_key: string;
  /** Base64. */
  pkcs12: string;
  passphrase: string;
  app_key: string;
  account_number: string;
  api_key: string;
};

const EMPTY = {
  ...{ client_id: '', client_secret: '', pix_key: '', format: 'pem' as const, certificate: '', private_key: '' },
  ...{ pkcs12: '', passphrase: '', app_key: '', account_number: '', api_key: '' },
};

/** The form of an account's own credentials; nothing of it is kept anywhere in the browser. */
export function useConnectForm(kind: ProviderRail['kind'], isOfSandbox: boolean) {
  const provider = isOfSandbox ? 'sandbox' : kind === 'plisio' ? 'plisio' : 'efi';
  const rules = useSchemaRules<ConnectValues>({
    load: () => loadPart(() => import('#contract/providers/providers.ts')).then((contract) => contract.connectInput),
    wire: (values) => inputOf(kind, values),
  });
  const form = useForm<ConnectValues>({
    initialValues: { provider, ...EMPTY },
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  return { form, errorsOf: rules.errorsOf };
}

/** Returns the input of the call; a PSP's certificate in the chosen format only. */
export function inputOf(kind: ProviderRail['kind'], values: ConnectValues): ConnectInput {
  const { provider, client_id, pix_key, format, certificate, private_key, api_key } = values;
  if (kind === 'plisio') return { kind, provider: provider === 'sandbox' ? provider : 'plisio', api_key };
  // Sicoob issues none, and is sent none.
  const client_secret = provider === 'sicoob' ? client_id : values.client_secret;
  const client = { client_id, client_secret, pix_key };
  if (provider === 'sandbox' || provider === 'plisio') return { kind, provider: 'sandbox', ...client };
  const isPem = format === 'pem';
  return {
    ...{ kind, provider, ...client },
    certificate: isPem ? certificate : null,
    private_key: isPem ? private_key : null,
    pkcs12: isPem ? null : values.pkcs12,
    passphrase: isPem ? null : values.passphrase,
    app_key: provider === 'bb' ? values.app_key : null,
    account_number: provider === 'inter' ? values.account_number : null,
  };
}
