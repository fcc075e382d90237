import { useTranslations } from 'next-intl';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { api } from '#panel/api.tsx';
import { networkName } from '#panel/payment/network-name.ts';
import { useFormats } from '#panel/use-formats.ts';
import { currencyOf, type Draft, formatPixKey, keyOf, nameInCode } from './draft.ts';
import { walletOf } from './wallet-check.ts';
import { WalletText } from './wallet-text.tsx';
import classes from './withdraw.module.css';

/** Who gets it, as far as it is known before it is sent. */
export function Recipient({ draft }: { draft: Draft }) {
  const t = useTranslations('panel.withdraw');
  const key = keyOf(draft);
  const code = currencyOf(draft);
  return (
    <dl className={classes.fields}>
      {draft.kind === 'pix' && key && (
        <div>
          <dt>{t('to', { type: t(`keyTypes.${key.type}`) })}</dt>
          <dd className={classes.recipient}>{formatPixKey(key.key, key.type)}</dd>
        </div>
      )}
      {draft.kind === 'pix' && key && (
        <KeyOwner pixKey={key.key} pixKeyType={key.type} nameInCode={nameInCode(draft)} />
      )}
      {draft.kind === 'pix' && draft.description.trim() !== '' && (
        <div>
          <dt>{t('message')}</dt>
          <dd>{draft.description.trim()}</dd>
        </div>
      )}
      {draft.kind === 'crypto' && code && (
        <>
          <div data-wide>
            <dt>{t('wallet', { network: networkName(CURRENCIES[code].network) })}</dt>
            <dd className={classes.recipient}>
              <WalletText wallet={walletOf(draft.wallet, code) ?? draft.wallet} />
            </dd>
          </div>
          <div>
            <dt>{t('currency')}</dt>
            <dd>{CURRENCIES[code].name}</dd>
          </div>
        </>
      )}
      {draft.kind === 'crypto' && draft.memo.trim() !== '' && (
        <div>
          <dt>{t('memo')}</dt>
          <dd>{draft.memo.trim()}</dd>
        </div>
      )}
    </dl>
  );
}

/**
 * Whose a key is: what a BR Code says, and who received the last PIX to it from here. No provider
 * that we send through says it before the key is paid. What can't be read is left out: nothing
 * waits for it.
 */
function KeyOwner(props: { pixKey: string; pixKeyType: PixKeyType; nameInCode: string | null }) {
  const { pixKey, pixKeyType, nameInCode: name } = props;
  const t = useTranslations('panel.withdraw');
  const formats = useFormats();
  const { data } = api.withdrawalPreview.lastReceiver.useQuery({ pixKey, pixKeyType });
  const last = data?.receiver;
  return (
    <div data-wide>
      <dt>{t('receiver')}</dt>
      {last && (
        <dd className={classes.lastReceiver}>
          {t(last.document === null ? 'receiverBefore' : 'receiverBeforeWithDocument', {
            name: last.name,
            document: last.document ?? '',
            at: formats.instant(last.paid_at),
          })}
        </dd>
      )}
      {/* Once there is a name to go by, this says only how far it goes. */}
      <dd className={last ? classes.caveat : undefined}>
        {name === null ? t('receiverUnknown') : t('receiverInCode', { name })}
      </dd>
    </div>
  );
}
