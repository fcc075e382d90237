import { List, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ErasurePlanView } from '#contract/customers/customers.ts';
import { REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useDialog } from '#panel/shell/use-dialog.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useReason } from '#panel/shell/use-reason.tsx';
import { useFormats } from '#panel/use-formats.ts';

type Props = { id: string; onErased: ((next: string | null) => void) | undefined; onClose: () => void };

/** Says which data of a person can be erased now and which only later, and erases the former. */
export function EraseDialog({ id, onErased, onClose }: Props) {
  const t = useTranslations('panel.customers.erasure');
  const plan = api.customers.erasure.useQuery({ customer_id: id });
  const hasForm = plan.data !== undefined && plan.data.erasable > 0;
  const isTop = useDialog(!hasForm);
  if (hasForm) return <EraseForm id={id} plan={plan.data} onErased={onErased} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={t('title')} centered closeOnEscape={isTop}>
      <QueryState query={plan} skeleton={[96]}>
        {(found) => (
          <Stack gap="sm">
            <Text fz="sm">{t('nothing', { years: found.retention_years })}</Text>
            <Retained plan={found} />
          </Stack>
        )}
      </QueryState>
    </Modal>
  );
}

function EraseForm({ id, plan, onErased, onClose }: Props & { plan: ErasurePlanView }) {
  const t = useTranslations('panel.customers.erasure');
  const notify = useNotify();
  const utils = api.useUtils();
  const reason = useReason({
    label: t('reason'),
    description: t('reasonHint'),
    missing: t('noReason'),
    maxLength: REASON_LENGTH_MAX,
  });
  const erase = api.customers.erase.useMutation({
    onSuccess({ erased, customer_id: next }) {
      notify.done(t('done', { count: erased }));
      onClose();
      onErased?.(next);
    },
    onSettled: () =>
      Promise.all([utils.customers.invalidate(), utils.transactions.invalidate(), utils.detail.invalidate()]),
  });
  return (
    <FormDialog
      title={t('title')}
      submit={t('submit', { count: plan.erasable })}
      call={erase}
      isDanger
      isDirty={reason.isDirty}
      onSubmit={() => reason.demand((given) => erase.mutate({ customer_id: id, reason: given }))}
      onClose={onClose}
    >
      <Text fz="sm">{t('text', { count: plan.erasable })}</Text>
      {plan.retained.length > 0 && (
        <>
          <Text fz="sm">{t('some', { years: plan.retention_years })}</Text>
          <Retained plan={plan} />
        </>
      )}
      {reason.field}
      <Muted fz={13}>{t('final')}</Muted>
    </FormDialog>
  );
}

/** What stays, and from which day it can be erased. */
function Retained({ plan }: { plan: ErasurePlanView }) {
  const t = useTranslations('panel.customers.erasure');
  const { day } = useFormats();
  return (
    <List fz="sm" spacing={4}>
      {plan.retained.map(({ from, count }) => (
        <List.Item key={from}>{t('from', { count, day: day(from) })}</List.Item>
      ))}
    </List>
  );
}
