import { Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconQrcode } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { recognisePixKey } from '#domain/withdrawals/recognise-pix-key.ts';
import { Notice } from '#panel/money/notice.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { Recognised } from '#panel/money/recognised.tsx';
import { useFormats } from '#panel/use-formats.ts';
import type { Draft } from './draft.ts';
import { formatPixKey, nameInCode } from './draft.ts';
import { KeyTypeChoice } from './key-type-choice.tsx';
import { readPixCode } from './read-pix-code.ts';

/**
 * The receiver of a PIX: a key, whose type is recognised while it is typed, or a BR Code, which is
 * read into key, amount and name. It asks for the type of a number that could be a CPF or a mobile
 * number.
 */
export function PixRecipient({ form }: { form: UseFormReturnType<Draft> }) {
  const t = useTranslations('panel.withdraw');
  const formats = useFormats();
  const found = recognisePixKey(form.values.pixKey);
  const rejectedCode = readPixCode(form.values.pixKey)?.issue ?? null;
  const name = nameInCode(form.values);
  const type = (text: string) => {
    form.clearErrors();
    const code = readPixCode(text);
    // A type that was chosen for another key does not hold for this one.
    if (code === null || code.issue !== null) return form.setValues({ pixKey: text, pixKeyType: null });
    // A code writes its amount with a point. An amount that the field does not take is put in as it
    // is, and rejected there.
    const reais = reaisOfText(code.amount, 'en');
    form.setValues({
      // Written so that it can only be of its own type.
      pixKey: formatPixKey(code.key.key, code.key.type),
      pixKeyType: null,
      codeKey: code.key.key,
      codeName: [code.name, code.city].filter(Boolean).join(', '),
      codeTxid: code.txid ?? '',
      ...(code.amount !== '' && { amount: reais === null ? code.amount : formats.typedReais(reais) }),
    });
  };
  const [only, other] = found;
  return (
    <Stack gap="xs">
      <TextInput
        {...form.getInputProps('pixKey')}
        onChange={(event) => type(event.currentTarget.value)}
        error={rejectedCode ? t(`issues.${rejectedCode}`) : form.errors.pixKey}
        label={t('key')}
        description={t('keyHint')}
        size="md"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Recognised>{only && !other && `${t(`keyTypes.${only.type}`)} ${formatPixKey(only.key, only.type)}`}</Recognised>
      {name !== null && (
        <Notice icon={IconQrcode} role="status">
          {t('fromCode', { name })}
          {form.values.codeTxid !== '' && ` ${t('codeTxid', { txid: form.values.codeTxid })}`}
        </Notice>
      )}
      <KeyTypeChoice
        label={t('whichKey')}
        found={found}
        value={form.values.pixKeyType}
        onChange={(type) => form.setFieldValue('pixKeyType', type)}
        error={form.errors.pixKeyType}
      />
    </Stack>
  );
}
