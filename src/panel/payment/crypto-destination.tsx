import { IconExclamationMark, IconExternalLink } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import type { CryptoPaymentData } from '#contract/charges/payment-status.ts';
import actionClasses from '#panel/action-button.module.css';
import { Icon } from '../shell/icon.tsx';
import { CopyButton } from './copy-button.tsx';
import classes from './crypto-payment.module.css';
import { networkName } from './network-name.ts';
import pageClasses from './payment-page.module.css';
import { QrPicture } from './qr-picture.tsx';

/**
 * People compare a pasted address by its ends: this many characters stand out. The shortest address
 * has more than twice as many.
 */
const END_CHARACTERS = 6;

/**
 * Where to send the coins, with a warning of the one mistake that can't be undone: another coin or
 * another network.
 */
export function CryptoDestination({ crypto }: { crypto: CryptoPaymentData }) {
  const t = useTranslations('pay.crypto');
  const { asset, wallet, memo, provider_url: providerUrl } = crypto;
  const network = networkName(crypto.network);
  return (
    <div className={pageClasses.code} aria-busy={wallet === null && providerUrl === null}>
      <div className={classes.notice}>
        <Icon of={IconExclamationMark} size={20} className={classes.noticeIcon} />
        <p className={classes.noticeText}>
          <strong>{t('sendOnly', { asset, network })}</strong> {t('otherIsLost')}
        </p>
      </div>
      {wallet === null && providerUrl !== null ? (
        <>
          <p className={classes.providerText}>{t('providerText')}</p>
          {/* In another tab, because this page goes on following the payment. */}
          <a
            className={`${actionClasses.button} ${classes.providerLink}`}
            href={providerUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon of={IconExternalLink} size={20} />
            {t('openProvider')}
          </a>
        </>
      ) : (
        <>
          <QrPicture text={wallet} label={t('qrLabel', { network })} />
          <p className={pageClasses.qrHint}>
            {wallet === null ? t('addressComing') : memo === null ? t('qrHint') : t('qrHintMemo')}
          </p>
          <p className={pageClasses.codeLabel}>{t('addressLabel', { network })}</p>
          <Copied text={wallet} label={t('copyAddress')} announcement={t('addressCopied')}>
            {wallet !== null && <Compared text={wallet} />}
          </Copied>
          {/* On some networks one address serves many owners, distinguished by the memo alone. */}
          {memo !== null && (
            <section className={classes.memo}>
              <h2 className={classes.memoTitle}>
                <Icon of={IconExclamationMark} size={20} />
                {t('memoTitle')}
              </h2>
              <p className={classes.memoText}>{t('memoWarning')}</p>
              <Copied quiet text={memo} label={t('copyMemo')} announcement={t('memoCopied')}>
                {memo}
              </Copied>
            </section>
          )}
        </>
      )}
    </div>
  );
}

type CopiedProps = {
  text: string | null;
  label: string;
  announcement: string;
  quiet?: boolean;
  /** The text as it is shown. */
  children: ReactNode;
};

function Copied({ announcement, children, ...button }: CopiedProps) {
  const t = useTranslations('pay.crypto');
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <code ref={shown} className={classes.address}>
        {children}
      </code>
      <CopyButton {...button} shown={shown} announcements={{ copied: announcement, selected: t('selected') }} />
    </>
  );
}

/** An address whose ends stand out; one that is too long for a line breaks in its middle. */
function Compared({ text }: { text: string }) {
  const middle = Math.ceil(text.length / 2);
  return (
    <>
      <b>{text.slice(0, END_CHARACTERS)}</b>
      {text.slice(END_CHARACTERS, middle)}
      <wbr />
      {text.slice(middle, -END_CHARACTERS)}
      <b>{text.slice(-END_CHARACTERS)}</b>
    </>
  );
}
