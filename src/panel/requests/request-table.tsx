import { Table } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ListedRequest } from '#contract/requests/requests.ts';
import { FoldingTable } from '#panel/shell/folding-table.tsx';
import { LinkedRow, RowLink } from '#panel/shell/linked-row.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { RequestStatus } from './request-status.tsx';
import classes from './requests-page.module.css';
import { useRequestFilters } from './use-request-filters.ts';

/** The requests in a dense table; on a phone, where CSS makes blocks of its rows, as a list of two lines each. */
export function RequestTable({ requests }: { requests: readonly ListedRequest[] }) {
  const t = useTranslations('panel.requests.columns');
  return (
    <FoldingTable folds="early" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('at')}</Table.Th>
          <Table.Th>{t('method')}</Table.Th>
          <Table.Th>{t('path')}</Table.Th>
          <Table.Th>{t('status')}</Table.Th>
          <Table.Th ta="right">{t('duration')}</Table.Th>
          <Table.Th>{t('key')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </Table.Tbody>
    </FoldingTable>
  );
}

function RequestRow({ request }: { request: ListedRequest }) {
  const t = useTranslations('panel.requests');
  const { show, addressOf } = useRequestFilters();
  const { id, at, method, path, status, duration_ms: durationMs, key_name: keyName } = request;
  return (
    <LinkedRow className={classes.row}>
      <Table.Td className={classes.at}>
        <When at={at} seconds />
      </Table.Td>
      <Table.Td className={classes.method}>{method}</Table.Td>
      <Table.Th scope="row" className={classes.path}>
        <RowLink
          href={addressOf(id)}
          open={() => show(id)}
          className={classes.link}
          aria-label={t('open', { method, path })}
        >
          {path}
        </RowLink>
      </Table.Th>
      <Table.Td className={classes.status}>
        <RequestStatus status={status} />
      </Table.Td>
      <Table.Td className={classes.duration}>
        <Duration ms={durationMs} />
      </Table.Td>
      <Table.Td className={classes.key}>{keyName ?? t('unknownKey')}</Table.Td>
    </LinkedRow>
  );
}

/** Tenths only where they say something. */
export function Duration({ ms }: { ms: number }) {
  const t = useTranslations('panel.requests');
  const formats = useFormats();
  return t('ms', { ms: formats.number(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 }) });
}
