import { Alert, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { AmountInput } from '#panel/money/amount-input.tsx';

/**
 * The props that a form gives a field, with its name (`data-path`), by which the first issue is
 * found.
 */
type Field = { value: string; onChange(text: string): void; error?: React.ReactNode };

/** The maximum that an assistant may ask for, and what happens with what it asks for. */
export function AssistantCaps({ callCap, dayCap }: { callCap: Field; dayCap: Field }) {
  const t = useTranslations('panel.keys.form');
  return (
    <Stack gap="xs">
      <Alert color="yellow" variant="light" p="sm" role="status" title={t('capsTitle')}>
        {t('capsText')}
      </Alert>
      <AmountInput {...callCap} label={t('callCap')} description={t('callCapHint')} required />
      <AmountInput {...dayCap} label={t('dayCap')} description={t('dayCapHint')} required />
    </Stack>
  );
}
