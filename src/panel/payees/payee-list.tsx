import { Stack, Text } from '@mantine/core';
import { IconPlayerTrackNext, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import type { PayeeOutput } from '#contract/payees/payees.ts';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { WalletText } from '../withdraw/wallet-text.tsx';
import classes from './payee-list.module.css';
import { destinationText, findPayees, networkText, payeeKeyType } from './payee-text.ts';

/** A list of this length gets a search field. */
const SEARCHED_FROM = 10;

type Props = { payees: readonly PayeeOutput[]; onRemove: (payee: PayeeOutput) => void };

/** The payees as a table; on a phone a list. */
export function PayeeList({ payees, onRemove }: Props) {
  const t = useTranslations('panel.payees');
  const types = useTranslations('panel.withdraw.keyTypes');
  const { mode } = usePanel();
  const { instant } = useFormats();
  const notify = useNotify();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const [text, setText] = useQueryState('busca', parseAsString.withDefault(''));
  const endWait = api.addressBook.endWait.useMutation({
    onSuccess: () => notify.done(t('waitEnded')),
    onSettled: () => utils.payees.list.invalidate(),
  });
  const state = ({ waits, usable_from: at }: PayeeOutput) =>
    waits ? (
      <>
        <StatusBadge tone="wait" label={t('waits')} hint={t('waitsHint', { at: instant(at) })} />
        <Muted fz="xs">{t('from', { at: instant(at) })}</Muted>
      </>
    ) : (
      <StatusBadge tone="ok" label={t('usable')} />
    );
  const menu = (payee: PayeeOutput) => (
    <MoreMenu
      label={t('menu', { label: payee.label })}
      actions={[
        mode === 'test' &&
          payee.waits && {
            label: t('endWait'),
            icon: IconPlayerTrackNext,
            onClick: () => endWait.mutate({ payee_id: payee.payee_id }),
          },
        { label: t('remove'), icon: IconTrash, isDanger: true, onClick: () => onRemove(payee) },
      ]}
    />
  );
  return (
    <Stack gap="sm">
      {payees.length >= SEARCHED_FROM && (
        <SearchField text={text} onChange={setText} label={t('search')} w={{ base: '100%', xs: 320 }} />
      )}
      <ErrorAlert text={endWait.error && textOf(endWait.error)} />
      <DataTable
        label={t('title')}
        rows={findPayees(payees, text)}
        keyOf={({ payee_id: id }) => id}
        title={(column) => t(`columns.${column}`)}
        classes={classes}
        lines={['label actions', 'destination destination', 'state added']}
        columns={[
          {
            name: 'label',
            isHead: true,
            cell: (payee) => {
              const type = payeeKeyType(payee);
              return (
                <>
                  <Text fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {payee.label}
                  </Text>
                  <Muted fz="xs">{type ? t('pixKey', { type: types(type) }) : networkText(payee)}</Muted>
                </>
              );
            },
          },
          {
            name: 'destination',
            cell: (payee) => (
              <>
                {payee.wallet === null ? destinationText(payee) : <WalletText wallet={payee.wallet} />}
                {payee.memo !== null && <Muted fz="xs">{t('withMemo', { memo: payee.memo })}</Muted>}
              </>
            ),
          },
          { name: 'state', cell: state },
          {
            name: 'added',
            cell: ({ added_by: by, added_at: at }) => (
              <>
                <When at={at} />
                {by !== null && <Muted fz="xs">{by}</Muted>}
              </>
            ),
          },
          { name: 'actions', cell: menu, isTitleHidden: true },
        ]}
      />
    </Stack>
  );
}
