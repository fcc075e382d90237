import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Amount } from '#panel/money/amount.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Figure } from './figure.tsx';
import classes from './overview.module.css';

const BALANCES = ['available', 'pending', 'blocked'] as const;
/** Their names in the statement's address. */
const STATEMENT_WORDS = { available: 'disponivel', pending: 'a-liberar', blocked: 'bloqueado' } as const;

/** What the account holds: what can be spent, what is on its way, what is held back. */
export function Balances({ balances }: { balances: Overview['balances'] }) {
  const t = useTranslations('panel.overview');
  const { href } = usePanel();
  const { reais } = useFormats();
  const { available, pending, blocked } = balances;
  const total = (Math.round(available * 100) + Math.round(pending * 100) + Math.round(blocked * 100)) / 100;
  const parts = { available: reais(available), pending: reais(pending), blocked: reais(blocked), total: reais(total) };
  return (
    <section className={classes.card} aria-label={t('balances.title')}>
      <div className={classes.balances}>
        {BALANCES.map((name) => (
          <Figure
            key={name}
            kind="balance"
            name={t(`balances.${name}`)}
            says={[t(`balances.${name}Why`), t('balances.sum', parts)]}
            link={{ href: href(`/extrato?saldo=${STATEMENT_WORDS[name]}`), text: t('balances.statement') }}
          >
            <Amount reais={balances[name]} size={name === 'available' ? 'xl' : 'lg'} />
          </Figure>
        ))}
      </div>
    </section>
  );
}
