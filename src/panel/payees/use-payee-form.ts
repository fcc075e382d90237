import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { currencyOn, type Network } from '#domain/quotes/currencies.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import type { MoneyKind } from '#panel/money/money-form.tsx';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { type Draft, EMPTY_DRAFT, issuesOf, keyOf } from '../withdraw/draft.ts';

/** The fields of the form as they are typed. */
export type PayeeValues = {
  kind: MoneyKind;
  label: string;
  pixKey: string;
  /** Chosen by hand, where the key could be of several types. */
  pixKeyType: PixKeyType | null;
  network: Network;
  wallet: string;
  memo: string;
};

const FIRST: PayeeValues = {
  kind: 'pix',
  label: '',
  pixKey: '',
  pixKeyType: null,
  network: 'tron',
  wallet: '',
  memo: '',
};

/** The form of a new payee, checked by the schema of what it sends. */
export function usePayeeForm() {
  const issues = useTranslations('panel.withdraw.issues');
  const rules = useSchemaRules<PayeeValues>({
    load: ({ kind }) =>
      loadPart(() => import('#contract/payees/payees.ts')).then((contract) =>
        kind === 'pix' ? contract.addPixKeyInput : contract.addWalletInput,
      ),
    wire: (values) => (values.kind === 'pix' ? pixKeyOf(values) : walletOf(values)),
    ownTexts: (values) =>
      Object.fromEntries(
        Object.entries(issuesOf(draftOf(values), 1, serviceNow())).map(([field, issue]) => [field, issues(issue)]),
      ),
  });
  const form = useForm<PayeeValues>({
    initialValues: FIRST,
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  return { form, errorsOf: rules.errorsOf };
}

/** A withdrawal to this payee, whose fields are checked in the same way. */
const draftOf = ({ network, label: _, ...values }: PayeeValues): Draft => ({
  ...EMPTY_DRAFT,
  ...values,
  currency: currencyOn(network),
});

/** Returns the input for a PIX key; an invalid one is sent as a type that rejects it. */
export function pixKeyOf(values: PayeeValues) {
  const { key, type } = keyOf(values) ?? { key: values.pixKey, type: 'evp' as const };
  return { label: values.label, pixKey: key, pixKeyType: type };
}

export const walletOf = ({ label, network, wallet, memo }: PayeeValues) => ({
  label,
  network,
  wallet: wallet.trim(),
  memo: memo.trim() || null,
});
