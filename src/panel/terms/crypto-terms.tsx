import { Card, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TermsOutput } from '#contract/accounts/terms-output.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './terms.module.css';

/** What moves a crypto price, and how exact a crypto payment has to be. */
export function CryptoTerms({ crypto }: { crypto: TermsOutput['crypto'] }) {
  const t = useTranslations('panel.terms');
  const { reais } = useFormats();
  const { spread_percent: spread, tolerance_percent: tolerance, price_example: price } = crypto;
  const { amount, from, to } = crypto.tolerance_example;
  const prices = { market: reais(price.market), charge: reais(price.charge), withdrawal: reais(price.withdrawal) };
  return (
    <Card withBorder padding="lg">
      <Stack gap="md">
        <Term name={t('spread')} percent={spread} text={spread === 0 ? t('spreadNone') : t('spreadText', prices)} />
        <Term
          name={t('tolerance')}
          percent={tolerance}
          text={
            tolerance === 0
              ? t('toleranceNone')
              : t('toleranceText', { amount: reais(amount), from: reais(from), to: reais(to) })
          }
        />
      </Stack>
    </Card>
  );
}

function Term({ name, percent, text }: { name: string; percent: number; text: string }) {
  const { decimals } = useFormats();
  return (
    <div>
      <Group gap="xs">
        <Text fz="sm" fw={600}>
          {name}
        </Text>
        {percent > 0 && (
          <Text fz="sm" className={classes.figures}>
            {`${decimals(percent)}\u00a0%`}
          </Text>
        )}
      </Group>
      <Muted className={classes.figures}>{text}</Muted>
    </div>
  );
}
