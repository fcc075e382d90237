'use client';

import { Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'next-intl';
import type { PixKeyType } from '#domain/pix-key.ts';
import { recognisePixKey } from '#domain/recognise-pix-key.ts';
import { Icon } from '#panel/shell/icons.tsx';
import type { Draft } from './draft.ts';
import { formatPixKey } from './draft.ts';
import classes from './withdraw.module.css';

/** Longer than the longest key with all its punctuation. */
const KEY_LENGTH_MAX = 120;

/** Who gets it: a key, whose type is recognised while it is typed. What could be a CPF or a mobile number is asked. */
export function PixRecipient({ form }: { form: UseFormReturnType<Draft> }) {
  const t = useTranslations('panel.withdraw');
  const found = recognisePixKey(form.values.pixKey);
  const [only] = found;
  return (
    <Stack gap="xs">
      <TextInput
        {...form.getInputProps('pixKey')}
        label={t('key')}
        description={t('keyHint')}
        maxLength={KEY_LENGTH_MAX}
        size="md"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div aria-live="polite">
        {found.length === 1 && only && (
          <p className={classes.recognised}>
            <Icon name="check" size={16} />
            {t(`keyTypes.${only.type}`)} {formatPixKey(only.key, only.type)}
          </p>
        )}
      </div>
      {found.length > 1 && (
        <Radio.Group
          label={t('whichKey')}
          value={form.values.pixKeyType ?? ''}
          onChange={(type) => form.setFieldValue('pixKeyType', type as PixKeyType)}
          error={form.errors.pixKeyType}
        >
          <Stack gap="xs" mt="xs">
            {found.map(({ type, key }, index) => (
              <Radio
                key={type}
                value={type}
                label={`${t(`keyTypes.${type}`)} ${formatPixKey(key, type)}`}
                // Where the form puts the cursor when none is chosen.
                {...(index === 0 && { 'data-path': 'pixKeyType' })}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  );
}
