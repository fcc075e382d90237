import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { PayeeOutput } from '#contract/payees/payees.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { destinationText } from './payee-text.ts';

/** Says what ends with the payee before it is removed. */
export function RemovePayeeDialog({ payee, onClose }: { payee: PayeeOutput; onClose: () => void }) {
  const t = useTranslations('panel.payees.removal');
  const notify = useNotify();
  const utils = api.useUtils();
  const remove = api.addressBook.remove.useMutation(
    notify.afterDialog(t('done', { label: payee.label }), { refresh: () => utils.payees.list.invalidate(), onClose }),
  );
  return (
    <FormDialog
      isDanger
      title={t('title', { label: payee.label })}
      submit={t('submit')}
      call={remove}
      onSubmit={() => remove.mutate({ payee_id: payee.payee_id })}
      onClose={onClose}
    >
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('text', { destination: destinationText(payee) })}
      </Text>
    </FormDialog>
  );
}
