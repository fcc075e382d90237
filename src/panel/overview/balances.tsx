import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Amount } from '#panel/money/amount.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Figure } from './figure.tsx';
import classes from './overview.module.css';

const BALANCES = ['available', 'pending', 'blocked'] as const;
/** The balances' names in the address of the statement. */
const STATEMENT_WORDS = { available: 'disponivel', pending: 'a-liberar', blocked: 'bloqueado' } as const;

/** What the account holds: what can be spent, what is on its way, what is held back. */
export function Balances({ balances }: { balances: Overview['balances'] }) {
  const t = useTranslations('panel.overview');
  const { href } = usePanel();
  const { reais } = useFormats();
  const { available, pending, blocked, owed } = balances;
  const cents = (amount: number) => Math.round(amount * 100);
  const total = (cents(available) + cents(pending) + cents(blocked) - cents(owed)) / 100;
  const parts = {
    available: reais(available),
    pending: reais(pending),
    blocked: reais(blocked),
    owed: reais(owed),
    total: reais(total),
  };
  return (
    <section className={classes.card} aria-label={t('balances.title')}>
      <div className={classes.balances}>
        {BALANCES.map((name) => (
          <Figure
            key={name}
            kind="balance"
            name={t(`balances.${name}`)}
            says={[t(`balances.${name}Why`), t(owed > 0 ? 'balances.sumOwed' : 'balances.sum', parts)]}
            link={{ href: href(`/extrato?saldo=${STATEMENT_WORDS[name]}`), text: t('balances.statement') }}
          >
            <Amount reais={balances[name]} size={name === 'available' ? 'xl' : 'lg'} />
          </Figure>
        ))}
      </div>
      {owed > 0 && (
        <Alert color="orange" variant="light" mt="md" icon={<Icon of={IconAlertTriangle} size={18} />}>
          {t('balances.owed', parts)}
        </Alert>
      )}
    </section>
  );
}
