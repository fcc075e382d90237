import { useTranslations } from 'next-intl';
import classes from './payment-page.module.css';

const steps = ['open', 'choose', 'confirm'] as const;

/** How to pay, for the first time in one's life. */
export function PaymentSteps() {
  const t = useTranslations('pay');
  return (
    <section className={classes.steps}>
      <h2 className={classes.stepsTitle}>{t('howTo')}</h2>
      <ol className={classes.stepList}>
        {steps.map((step) => (
          <li key={step}>{t(`steps.${step}`)}</li>
        ))}
      </ol>
      <p className={classes.stayHint}>{t('stayHint')}</p>
    </section>
  );
}
