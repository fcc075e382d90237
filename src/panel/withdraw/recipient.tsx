import { useTranslations } from 'next-intl';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { beginsAt } from '#domain/withdrawals/payout-schedule.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { api } from '#panel/api.tsx';
import { networkName } from '#panel/payment/network-name.ts';
import { Field } from '#panel/shell/field.tsx';
import { useRepeatText } from '#panel/transactions/use-repeat-text.ts';
import { useFormats } from '#panel/use-formats.ts';
import { currencyOf, type Draft, formatPixKey, keyOf, nameInCode } from './draft.ts';
import { isHeldNow, repeatOf } from './schedule.ts';
import { walletOf } from './wallet-check.ts';
import { WalletText } from './wallet-text.tsx';
import classes from './withdraw.module.css';

/** The receiver, as far as they are known before it is sent. */
export const Recipient = ({ draft }: { draft: Draft }) => (
  <dl className={classes.fields}>
    {draft.kind === 'pix' ? <PixFields draft={draft} /> : <CryptoFields draft={draft} />}
  </dl>
);

function PixFields({ draft }: { draft: Draft }) {
  const t = useTranslations('panel.withdraw');
  const key = keyOf(draft);
  const description = draft.description.trim();
  return (
    <>
      {key && (
        <>
          <Field wide name={t('to', { type: t(`keyTypes.${key.type}`) })}>
            <span className={classes.recipient}>{formatPixKey(key.key, key.type)}</span>
          </Field>
          <KeyOwner pixKey={key.key} pixKeyType={key.type} nameInCode={nameInCode(draft)} />
        </>
      )}
      {description && <Field name={t('messageSent')}>{description}</Field>}
      {draft.isScheduled && <ScheduleField draft={draft} />}
    </>
  );
}

/** When it is sent, how often, and whether its money is held until then. */
function ScheduleField({ draft }: { draft: Draft }) {
  const t = useTranslations('panel.withdraw.schedule');
  const formats = useFormats();
  const repeatText = useRepeatText();
  const at = beginsAt(draft.scheduledFor);
  const repeat = repeatOf(draft);
  return (
    <>
      <Field name={t('when')}>
        {t('at', { day: formats.day(draft.scheduledFor), time: formats.time(at) })}
        {repeat && `, ${repeatText(repeat)}`}
      </Field>
      <Field name={t('money')}>
        {isHeldNow(draft) ? t('held', { isRepeated: repeat ? 'yes' : 'no' }) : t('notHeld')}
      </Field>
    </>
  );
}

function CryptoFields({ draft }: { draft: Draft }) {
  const t = useTranslations('panel.withdraw');
  const tForm = useTranslations('panel.moneyForm');
  const code = currencyOf(draft);
  const memo = draft.memo.trim();
  return (
    <>
      {code && (
        <>
          <Field wide name={t('wallet', { network: networkName(CURRENCIES[code].network) })}>
            <span className={classes.recipient}>
              <WalletText wallet={walletOf(draft.wallet, code) ?? draft.wallet} />
            </span>
          </Field>
          <Field name={tForm('currency')}>{CURRENCIES[code].name}</Field>
        </>
      )}
      {memo && <Field name={t('memo')}>{memo}</Field>}
    </>
  );
}

/**
 * The owner of a key: the name in a BR Code, and who received the last PIX to it from here. No
 * provider that we send through names the owner before the key is paid. What can't be read is left
 * out: nothing waits for it.
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
      {/* Below a name, this only says how far it can be relied on. */}
      <dd className={last ? classes.caveat : undefined}>
        {name === null ? t('receiverUnknown') : t('receiverInCode', { name })}
      </dd>
    </div>
  );
}
