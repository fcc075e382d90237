import { Button, Group, Stack } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { useFormats } from '#panel/use-formats.ts';
import type { Filters } from './filters.ts';

export type Bounds = Pick<Filters, 'min' | 'max'>;

/** The two ends of the filter, as they are typed. */
export function AmountForm(props: Bounds & { onSubmit: (bounds: Bounds) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const language = useLocale();
  const formats = useFormats();
  const [minText, setMinText] = useState(formats.typedReais(props.min));
  const [maxText, setMaxText] = useState(formats.typedReais(props.max));
  const min = reaisOfText(minText, language);
  const max = reaisOfText(maxText, language);
  const isCrossed = min !== null && max !== null && min > max;
  // A bound that can't be read would show more transactions than were asked for.
  const isReadable = [minText, maxText].every((text) => text.trim() === '' || reaisOfText(text, language) !== null);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReadable && !isCrossed) props.onSubmit({ min, max });
      }}
    >
      <Stack gap="sm" w={280}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <AmountInput size="xs" label={t('min')} value={minText} onChange={setMinText} />
          <AmountInput
            size="xs"
            label={t('max')}
            value={maxText}
            onChange={setMaxText}
            error={isCrossed ? t('crossed') : undefined}
          />
        </Group>
        <Button type="submit" size="xs" variant="light">
          {t('apply')}
        </Button>
      </Stack>
    </form>
  );
}
