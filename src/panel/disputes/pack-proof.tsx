import { useTranslations } from 'next-intl';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** The payment's entry in the ledger proof or, until its day is closed, that there is none yet. */
export function PackProof({ found: { proof } }: { found: DisputeCaseView }) {
  const t = useTranslations('panel.disputes.pack.proof');
  const formats = useFormats();
  if (!proof) return <Muted>{t('notYet')}</Muted>;
  return (
    <>
      <FieldList
        width={170}
        folds
        fields={[
          [t('entry'), t('entryText', { number: proof.entry, amount: formats.reais(proof.amount) })],
          [t('at'), formats.instantExactly(proof.at)],
          [t('link'), <code key="link">{proof.link}</code>, 'wide'],
          [t('day'), formats.day(proof.day)],
          [t('signedAt'), formats.instantExactly(proof.signed_at)],
          [t('head'), <code key="head">{proof.head_hash}</code>, 'wide'],
          [t('publicKey'), <code key="key">{proof.public_key}</code>, 'wide'],
        ]}
      />
      <Muted fz={12}>{t('how')}</Muted>
    </>
  );
}
