import { useTranslations } from 'next-intl';
import { useId, useRef } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from './payment-page.module.css';
import { QrPicture } from './qr-picture.tsx';

/**
 * The QR code, the code as text, and the button that copies it. `code` null: it is not there yet.
 */
export function PixCode({ code, loading, label }: { code: string | null; loading: boolean; label: string }) {
  const t = useTranslations('pay');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.code} aria-busy={code === null}>
      <QrPicture text={code} label={label} />
      <p className={classes.qrHint}>{code === null && !loading ? t('codeComing') : t('qrHint')}</p>
      <label className={classes.codeLabel} htmlFor={id}>
        {t('codeLabel')}
      </label>
      <input
        id={id}
        ref={field}
        data-needs-script
        className={classes.codeField}
        value={code ?? ''}
        readOnly
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <noscript>
        <code className={classes.wholeCode}>{code}</code>
      </noscript>
      <CopyButton
        text={code}
        shown={field}
        label={t('copy')}
        announcements={{ copied: t('copiedAnnouncement'), selected: t('selectedAnnouncement') }}
      />
    </div>
  );
}
