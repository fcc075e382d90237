'use client';

import { SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { languages } from '#panel/language.ts';
import { useSaved } from './use-saved.ts';

type Look = { language: 'pt-BR' | 'en' | null; theme: 'light' | 'dark' | null };

/** Language and theme: both take effect at once, the language with a page in it. */
export function LookChoices({ language, theme }: Look) {
  const t = useTranslations('panel.preferences');
  const { setColorScheme } = useMantineColorScheme();
  const saved = useSaved();
  const setTheme = api.preferences.setLook.useMutation(saved);
  const setLanguage = api.preferences.setLook.useMutation({ ...saved, onSuccess: () => window.location.reload() });
  const shown = {
    language: setLanguage.isPending ? setLanguage.variables.language : language,
    theme: setTheme.isPending ? setTheme.variables.theme : theme,
  };
  return (
    <Stack gap="md">
      <Choice
        label={t('language')}
        value={shown.language ?? 'auto'}
        options={(['auto', ...languages] as const).map((value) => ({ value, label: t(`languages.${value}`) }))}
        onChoose={(chosen) => setLanguage.mutate({ language: chosen === 'auto' ? null : chosen })}
      />
      <Choice
        label={t('theme')}
        value={shown.theme ?? 'auto'}
        options={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`themes.${value}`) }))}
        onChoose={(chosen) => {
          setColorScheme(chosen);
          setTheme.mutate({ theme: chosen === 'auto' ? null : chosen });
        }}
      />
    </Stack>
  );
}

function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChoose: (value: T) => void;
}) {
  const { label, value, options, onChoose } = props;
  const id = `choice-${options[1]?.value}`;
  return (
    <div>
      <Text fz="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChoose(chosen as T)}
        data={options}
      />
    </div>
  );
}
