import { Button, Group, Stack } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { useFormats } from '#panel/use-formats.ts';
import type { Filters } from './filters.ts';

type Bounds = Pick<Filters, 'min' | 'max'>;

/** The two bounds of the filter, as they are typed. */
export function AmountForm({ onSubmit, ...set }: Bounds & { onSubmit: (bounds: Bounds) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const language = useLocale();
  const { typedReais } = useFormats();
  const [typed, setTyped] = useState({ min: typedReais(set.min), max: typedReais(set.max) });
  const [min, max] = [reaisOfText(typed.min, language), reaisOfText(typed.max, language)];
  const isCrossed = min !== null && max !== null && min > max;
  // A bound that can't be read would be left out, and show more transactions than were asked for.
  const isReadable = Object.values(typed).every((text) => text.trim() === '' || reaisOfText(text, language) !== null);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReadable && !isCrossed) onSubmit({ min, max });
      }}
    >
      <Stack gap="sm" w={280}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          {(['min', 'max'] as const).map((end) => (
            <AmountInput
              key={end}
              size="xs"
              label={t(end)}
              value={typed[end]}
              onChange={(text) => setTyped({ ...typed, [end]: text })}
              error={end === 'max' && isCrossed && t('crossed')}
            />
          ))}
        </Group>
        <Button type="submit" size="xs" variant="light">
          {t('apply')}
        </Button>
      </Stack>
    </form>
  );
}
