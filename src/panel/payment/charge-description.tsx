import { useTranslations } from 'next-intl';
import { useState } from 'react';
import classes from './payment-page.module.css';

/** What fits into the two lines that a phone has for it, at its narrowest. */
const SHORT_LENGTH = 75;

/**
 * What is paid for; a long one is cut, so that the code stays in sight, and shown whole on demand.
 */
export function ChargeDescription({ text }: { text: string }) {
  const t = useTranslations('pay');
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <p className={classes.description} data-whole={isWhole}>
        {text}
      </p>
      {text.length > SHORT_LENGTH && (
        <button
          type="button"
          data-needs-script
          className={classes.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {t(isWhole ? 'lessText' : 'wholeText')}
        </button>
      )}
    </>
  );
}
