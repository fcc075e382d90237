'use client';

import { useTranslations } from 'next-intl';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useId, useRef, useState } from 'react';
import { ActionButton } from '#panel/action-button.tsx';
import { Skeleton } from '#panel/skeleton.tsx';
import { copyText } from './copy-text.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';
import classes from './payment-page.module.css';

/** Long enough to be seen after a glance at the bank's app, short enough to copy again. */
const COPIED_SHOWN_MS = 4_000;
/** ISO/IEC 18004 asks for four modules of white around the symbol. */
const QUIET_ZONE_MODULES = 4;

/** The QR picture, the code as text, and the button that most people want. `code` null: it is on its way. */
export function PixCode({ code, loading, label }: { code: string | null; loading: boolean; label: string }) {
  const t = useTranslations('pay');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null);

  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copied = outcome === 'copied';
  return (
    <div className={classes.code} aria-busy={code === null}>
      <div className={classes.qr}>
        {code === null ? (
          <Skeleton className={classes.qrSkeleton} />
        ) : (
          // Dark on white in both themes: scanners expect it.
          <QRCodeSVG
            value={code}
            title={label}
            level="M"
            marginSize={QUIET_ZONE_MODULES}
            fgColor="#000000"
            bgColor="#ffffff"
            className={classes.qrPicture}
          />
        )}
      </div>
      <p className={classes.qrHint}>{code === null && !loading ? t('codeComing') : t('qrHint')}</p>
      <label className={classes.codeLabel} htmlFor={id}>
        {t('codeLabel')}
      </label>
      <input
        id={id}
        ref={field}
        className={classes.codeField}
        value={code ?? ''}
        readOnly
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <ActionButton
        disabled={code === null}
        onClick={async () => {
          setOutcome(null);
          if (field.current) setOutcome(await copyText(field.current));
        }}
      >
        {copied ? <CheckIcon /> : <CopyIcon />}
        {copied ? t('copied') : t('copy')}
      </ActionButton>
      <p className={classes.copyNote} aria-live="polite" data-shown={outcome === 'selected'}>
        {copied && <span className="visually-hidden">{t('copiedAnnouncement')}</span>}
        {outcome === 'selected' && t('selectedAnnouncement')}
      </p>
    </div>
  );
}
