'use client';

import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { useCopy } from '#panel/payment/use-copy.ts';
import { Icon } from '../shell/icon.tsx';
import classes from './docs-page.module.css';

/** A button that copies the code of the figure that it is in. */
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
        {outcome === 'copied' ? <Icon of={IconCheck} size={14} /> : <Icon of={IconCopy} size={14} />}
        {outcome === 'copied' ? t('copied') : t('copy')}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {outcome === 'copied' && t('announcement')}
        {outcome === 'selected' && t('selected')}
      </span>
    </>
  );
}
