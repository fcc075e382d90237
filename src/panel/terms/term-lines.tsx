import { List, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TermsChangeOutput } from '#contract/accounts/terms-change-output.ts';
import { dayOf, startOfDay } from '#domain/reports/statement-period.ts';
import { useFeeText } from '#panel/money/use-fee-text.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';

type LimitOutput = { limit: number | null; is_default: boolean };

/** The terms that a change sets, one a line, with the value before it where that is known. */
export function TermLines({ change }: { change: TermsChangeOutput }) {
  const t = useTranslations('panel.terms.change');
  const rails = useTranslations('panel.terms.rails');
  const { reais, decimals } = useFormats();
  const feeText = useFeeText();
  const limitText = ({ limit, is_default: isDefault }: LimitOutput) => {
    if (isDefault) return t('default');
    return limit === null ? t('noLimit') : reais(limit);
  };
  const percent = (value: number) => `${decimals(value)}\u00a0%`;
  const lines = [
    ...change.fees.map(({ type, before, ...fee }) => ({
      name: t('fee', { operation: rails(type) }),
      text: feeText(fee),
      before: before && feeText(before),
    })),
    ...change.limits.map(({ name, before, ...limit }) => ({
      name: t(`limits.${name}`),
      text: limitText(limit),
      before: before && limitText(before),
    })),
    ...(['spread', 'tolerance'] as const).flatMap((name) => {
      const rate = change[name];
      if (!rate) return [];
      const { percent: after, before_percent: before } = rate;
      return [{ name: t(name), text: percent(after), before: before === null ? null : percent(before) }];
    }),
  ];
  return (
    <List fz="sm" listStyleType="none" spacing={2}>
      {lines.map(({ name, text, before }) => (
        <List.Item key={name}>
          {name}:{' '}
          <Text span fw={600} fz="sm">
            {text}
          </Text>{' '}
          {before !== null && before !== text && <Muted span>{t('before', { before })}</Muted>}
        </List.Item>
      ))}
    </List>
  );
}

/**
 * Returns the text of the moment from which something applies: a day where it is a day's beginning,
 * else the instant.
 */
export function useFromText(): (at: string) => string {
  const t = useTranslations('panel.terms.change');
  const formats = useFormats();
  return (at) => {
    const day = dayOf(new Date(at));
    const isBeginning = startOfDay(day).getTime() === Date.parse(at);
    return t('from', { from: isBeginning ? formats.day(day) : formats.instant(at) });
  };
}
