import { Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';

type Props = { value: string; onChange: (reason: string) => void; isMissing: boolean };

/** The reason of a decision, which is stored with it. */
export function ReasonField({ value, onChange, isMissing }: Props) {
  const t = useTranslations('panel.unmatched.dialog');
  return (
    <Textarea
      label={t('reason')}
      description={t('reasonHint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isMissing && t('reasonMissing')}
      maxLength={REASON_LENGTH_MAX}
      autosize
      minRows={2}
    />
  );
}
