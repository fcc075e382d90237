import { Card, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TermsOutput } from '#contract/accounts/terms-output.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useFeeText } from '../money/use-fee-text.ts';
import classes from './terms.module.css';

/** Every fee: how it is reckoned, and what it makes of a round amount. */
export function FeeList({ fees }: { fees: TermsOutput['fees'] }) {
  const t = useTranslations('panel.terms');
  const { reais } = useFormats();
  const feeText = useFeeText();
  return (
    <Card withBorder padding="lg">
      <ul className={classes.fees}>
        {fees.map(({ type, percent, fixed, active, example }) => (
          <li key={type}>
            <Text fz="sm" fw={600}>
              {t(`rails.${type}`)}
            </Text>
            <Text fz="sm" className={classes.figures}>
              {percent === 0 && fixed === 0 ? t('free') : feeText({ percent, fixed })}
            </Text>
            <Muted className={`${classes.example} ${classes.figures}`}>
              {active
                ? t(`examples.${type}`, {
                    amount: reais(example.amount),
                    fee: reais(example.fee),
                    net: reais(example.net),
                    total: reais(example.total),
                  })
                : t('off')}
            </Muted>
          </li>
        ))}
      </ul>
    </Card>
  );
}
