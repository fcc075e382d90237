import { IconExclamationMark, IconExternalLink } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { CryptoPaymentData } from '#contract/charges/payment-status.ts';
import actionClasses from '#panel/action-button.module.css';
import { Icon } from '../shell/icon.tsx';
import { CopyButton } from './copy-button.tsx';
import classes from './crypto-payment.module.css';
import { networkName } from './network-name.ts';
import pageClasses from './payment-page.module.css';
import { QrPicture } from './qr-picture.tsx';

/**
 * People compare a pasted address by its ends: so many characters stand out. The shortest address
 * has more than twice as many.
 */
const END_CHARACTERS = 6;

/**
 * Where to send the coins, and the one mistake that can't be made good: another coin or another
 * network.
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
        <ProviderLink url={providerUrl} />
      ) : (
        <>
          <QrPicture text={wallet} label={t('qrLabel', { network })} />
          <p className={pageClasses.qrHint}>
            {wallet === null ? t('addressComing') : memo === null ? t('qrHint') : t('qrHintMemo')}
          </p>
          <Address wallet={wallet} network={network} />
          {memo !== null && <Memo memo={memo} />}
        </>
      )}
    </div>
  );
}

function Address({ wallet, network }: { wallet: string | null; network: string }) {
  const t = useTranslations('pay.crypto');
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <p className={pageClasses.codeLabel}>{t('addressLabel', { network })}</p>
      <code ref={shown} className={classes.address}>
        {wallet !== null && <Compared text={wallet} />}
      </code>
      <CopyButton
        text={wallet}
        shown={shown}
        label={t('copyAddress')}
        announcements={{ copied: t('addressCopied'), selected: t('selected') }}
      />
    </>
  );
}

/** Ends that stand out; what is too long for one line breaks in its middle. */
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

/** On some networks one address serves many owners, distinguished by the memo alone. */
function Memo({ memo }: { memo: string }) {
  const t = useTranslations('pay.crypto');
  const shown = useRef<HTMLElement>(null);
  return (
    <section className={classes.memo}>
      <h2 className={classes.memoTitle}>
        <Icon of={IconExclamationMark} size={20} />
        {t('memoTitle')}
      </h2>
      <p className={classes.memoText}>{t('memoWarning')}</p>
      <code ref={shown} className={classes.address}>
        {memo}
      </code>
      <CopyButton
        quiet
        text={memo}
        shown={shown}
        label={t('copyMemo')}
        announcements={{ copied: t('memoCopied'), selected: t('selected') }}
      />
    </section>
  );
}

/** In another tab: this page goes on following the payment. */
function ProviderLink({ url }: { url: string }) {
  const t = useTranslations('pay.crypto');
  return (
    <>
      <p className={classes.providerText}>{t('providerText')}</p>
      <a
        className={`${actionClasses.button} ${classes.providerLink}`}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon of={IconExternalLink} size={20} />
        {t('openProvider')}
      </a>
    </>
  );
}
