import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { languages } from '#domain/values/language.ts';
import { api } from '#panel/api.tsx';
import { useSaved } from './use-saved.ts';
import { useTheme } from './use-theme.ts';

type Look = { language: 'pt-BR' | 'en' | null; theme: 'light' | 'dark' | null };

/** Language and theme: both take effect at once, the language with a page in it. */
export function ThemeChoices({ language, theme }: Look) {
  const t = useTranslations('panel.preferences');
  const { choose, pending } = useTheme();
  const saved = useSaved();
  const setLanguage = api.preferences.setLook.useMutation({ ...saved, onSuccess: () => window.location.reload() });
  const shownLanguage = setLanguage.isPending ? setLanguage.variables.language : language;
  const shownTheme = pending === undefined ? theme : pending;
  return (
    <Stack gap="md">
      <Choice
        label={t('language')}
        value={shownLanguage ?? 'auto'}
        options={(['auto', ...languages] as const).map((value) => ({ value, label: t(`languages.${value}`) }))}
        onChoose={(chosen) => setLanguage.mutate({ language: chosen === 'auto' ? null : chosen })}
      />
      <Choice
        label={t('theme')}
        value={shownTheme ?? 'auto'}
        options={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`themes.${value}`) }))}
        onChoose={choose}
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
