import { Radio, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { formatPixKey } from './draft.ts';

type Props = {
  label: string;
  /** The keys that the typed text could be. */
  found: readonly { type: PixKeyType; key: string }[];
  value: PixKeyType | null;
  onChange: (type: PixKeyType) => void;
  error: ReactNode;
};

/** Asks for the type of a key that could be of several; nothing otherwise. */
export function KeyTypeChoice({ label, found, value, onChange, error }: Props) {
  const t = useTranslations('panel.withdraw.keyTypes');
  if (found.length < 2) return null;
  return (
    <Radio.Group label={label} value={value ?? ''} onChange={(type) => onChange(type as PixKeyType)} error={error}>
      <Stack gap="xs" mt="xs">
        {found.map(({ type, key }, index) => (
          <Radio
            key={type}
            value={type}
            label={`${t(type)} ${formatPixKey(key, type)}`}
            // The form puts the cursor here when none is chosen.
            {...(index === 0 && { 'data-path': 'pixKeyType' })}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
