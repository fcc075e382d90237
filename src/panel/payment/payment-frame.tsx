import { IconFlask, IconWifiOff } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Mark } from '#panel/mark.tsx';
import { Icon } from '../shell/icon.tsx';
import classes from './payment-page.module.css';

type Props = {
  layout: 'payable' | 'done' | 'message';
  /**
   * Test mode; undefined or false keeps the bar's space empty, so that nothing moves when it comes.
   */
  test?: boolean | undefined;
  trouble: 'offline' | 'unsteady' | null;
  children: ReactNode;
};

/**
 * Without JavaScript the controls that need it are hidden, and no text is cut that could not be
 * unfolded.
 */
const WITHOUT_SCRIPT = '[data-needs-script]{display:none!important}[data-whole]{-webkit-line-clamp:none!important}';

/**
 * The page around the card: the test bar, the card, and a quiet line when what it shows may be
 * stale.
 */
export function PaymentFrame({ layout, test, trouble, children }: Props) {
  const t = useTranslations('pay');
  return (
    <div className={classes.page}>
      <noscript>
        <style>{WITHOUT_SCRIPT}</style>
      </noscript>
      <header className={classes.bar} data-test={test === true}>
        {test && (
          <p className={classes.barText}>
            <Icon of={IconFlask} size={16} />
            {t('testBar')}
          </p>
        )}
      </header>
      <main className={classes.main}>
        <div className={classes.card} data-layout={layout}>
          {children}
        </div>
        <p className={classes.trouble} aria-live="polite" data-shown={trouble !== null}>
          {trouble && (
            <>
              <Icon of={IconWifiOff} size={18} />
              {t(trouble)}
            </>
          )}
        </p>
      </main>
      <footer className={classes.footer}>
        <Mark size={16} />
        Trilho
      </footer>
    </div>
  );
}
