import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Amount } from '#panel/money/amount.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Explained } from './explained.tsx';
import classes from './overview.module.css';

const BALANCES = ['available', 'pending', 'blocked'] as const;
/** Their names in the statement's address. */
const STATEMENT_WORDS = { available: 'disponivel', pending: 'a-liberar', blocked: 'bloqueado' } as const;

/** What the account holds: what can be spent, what is on its way, what is held back. */
export function Balances({ balances }: { balances: Overview['balances'] }) {
  const t = useTranslations('panel.overview');
  const { href } = usePanel();
  const { reais } = useFormats();
  const total =
    (Math.round(balances.available * 100) + Math.round(balances.pending * 100) + Math.round(balances.blocked * 100)) /
    100;
  return (
    <section className={classes.card} aria-label={t('balances.title')}>
      <div className={classes.balances}>
        {BALANCES.map((name) => (
          <div key={name} className={classes.figure}>
            <Explained
              name={t(`balances.${name}`)}
              link={{ href: href(`/extrato?saldo=${STATEMENT_WORDS[name]}`), text: t('balances.statement') }}
            >
              <p>{t(`balances.${name}Why`)}</p>
              <p>
                {t('balances.sum', {
                  available: reais(balances.available),
                  pending: reais(balances.pending),
                  blocked: reais(balances.blocked),
                  total: reais(total),
                })}
              </p>
            </Explained>
            <div className={classes.balance}>
              <Amount reais={balances[name]} size={name === 'available' ? 'xl' : 'lg'} />
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
