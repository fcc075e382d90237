import { useTranslations } from 'next-intl';
import type { ListedRequest } from '#contract/requests/requests.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useOpened } from '#panel/shell/use-opened.ts';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './requests-page.module.css';

/** The requests in a dense table; on a narrow screen a list of two lines each. */
export function RequestTable({ requests }: { requests: readonly ListedRequest[] }) {
  const t = useTranslations('panel.requests');
  const { instantExactly } = useFormats();
  const { show, addressOf } = useOpened('requisicao');
  const link = ({ id, method, path, at }: ListedRequest) => (
    <RowLink
      href={addressOf(id)}
      open={() => show(id)}
      className={classes.link}
      isName
      aria-label={`${t('open', { method, path })}, ${instantExactly(at)}`}
    >
      {path}
    </RowLink>
  );
  return (
    <DataTable
      rows={requests}
      keyOf={({ id }) => id}
      title={(name) => t(`columns.${name}`)}
      folds="tablet"
      classes={classes}
      lines={['method path status', 'at at duration']}
      isLink
      columns={[
        { name: 'at', cell: ({ at }) => <When at={at} seconds /> },
        { name: 'method', cell: ({ method }) => method },
        { name: 'path', cell: link, isHead: true },
        { name: 'status', cell: ({ status }) => <RequestStatus status={status} /> },
        { name: 'duration', cell: ({ duration_ms: ms }) => <Duration ms={ms} />, isNumeric: true },
        { name: 'key', cell: ({ key_name: name }) => name ?? t('unknownKey') },
      ]}
    />
  );
}

/** A status as the number that programmers know, with a word and an icon. */
export function RequestStatus({ status }: { status: number }) {
  const t = useTranslations('panel.requests.classes');
  const [tone, word] =
    status < 400
      ? (['ok', 'ok'] as const)
      : status < 500
        ? (['warn', 'refused'] as const)
        : (['bad', 'failed'] as const);
  return <StatusBadge tone={tone} label={`${status} ${t(word)}`} />;
}

/** A duration in milliseconds, with tenths below 10 ms. */
export function Duration({ ms }: { ms: number }) {
  const t = useTranslations('panel.requests');
  const formats = useFormats();
  return t('ms', { ms: formats.number(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 }) });
}
