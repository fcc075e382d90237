'use client';

import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { CheckIcon, CopyIcon } from '#panel/payment/icons.tsx';
import { useCopy } from '#panel/payment/use-copy.ts';
import classes from './docs-page.module.css';

/** Copies the code of the figure that it stands in. */
export function CopyCode() {
  const t = useTranslations('docs.copy');
  const { outcome, copy } = useCopy();
  const button = useRef<HTMLButtonElement>(null);
  const copyCode = () => {
    const code = button.current?.closest('figure')?.querySelector('code');
    if (code) void copy(code.textContent ?? '', code);
  };
  return (
    <>
      <button ref={button} type="button" className={classes.copy} onClick={copyCode}>
        {outcome === 'copied' ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
        {outcome === 'copied' ? t('copied') : t('copy')}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {outcome === 'copied' && t('announcement')}
        {outcome === 'selected' && t('selected')}
      </span>
    </>
  );
}
