import { Text, Tooltip } from '@mantine/core';
import { IconCode, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './key-list.module.css';
import { KeyState } from './key-state.tsx';
import { displayKey, inShownOrder, isActive } from './key-text.ts';

export type KeyAction = 'quickStart' | 'rotate' | 'revoke';

type Props = { keys: readonly ApiKeyOutput[]; onAction: (action: KeyAction, key: ApiKeyOutput) => void };

/** The keys as a table; on a narrow screen a list. */
export function KeyList({ keys, onAction }: Props) {
  const t = useTranslations('panel.keys');
  const name = (key: ApiKeyOutput) => (
    <>
      <Text fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {key.name}
      </Text>
      <code className={classes.code}>{displayKey(key)}</code>
    </>
  );
  const instant = (column: 'lastUse' | 'expiry', at: string | null) =>
    at === null ? (
      <span className={classes.muted}>{t(column === 'lastUse' ? 'neverUsed' : 'neverExpires')}</span>
    ) : (
      <>
        <span className={classes.onPhone}>{t(`columns.${column}`)} </span>
        <When at={at} />
      </>
    );
  const menu = (key: ApiKeyOutput) =>
    isActive(key) && (
      <MoreMenu
        label={t('menu.label', { name: key.name })}
        actions={[
          { label: t('menu.quickStart'), icon: IconCode, onClick: () => onAction('quickStart', key) },
          key.state === 'active' && {
            label: t('menu.rotate'),
            icon: IconRefresh,
            onClick: () => onAction('rotate', key),
          },
          { label: t('menu.revoke'), icon: IconTrash, isDanger: true, onClick: () => onAction('revoke', key) },
        ]}
      />
    );
  return (
    <DataTable
      rows={keys}
      keyOf={({ key_id: id }) => id}
      title={(column) => t(`columns.${column}`)}
      folds="tablet"
      classes={classes}
      rowProps={(key) => ({ 'data-ended': !isActive(key) })}
      columns={[
        { name: 'name', cell: name, isHead: true },
        { name: 'state', cell: (key) => <KeyState apiKey={key} /> },
        { name: 'permissions', cell: (key) => <Permissions apiKey={key} /> },
        { name: 'ips', cell: ({ allowed_ips: ranges }) => <AllowedIps ranges={ranges} /> },
        { name: 'lastUse', cell: ({ last_used_at: at }) => instant('lastUse', at) },
        { name: 'expiry', cell: ({ expires_at: at }) => instant('expiry', at) },
        { name: 'actions', cell: menu, isTitleHidden: true },
      ]}
    />
  );
}

function Permissions({ apiKey }: { apiKey: ApiKeyOutput }) {
  const t = useTranslations('panel.keys');
  const { reais } = useFormats();
  const { permissions, call_cap: call, day_cap: day } = apiKey;
  if (permissions.length === 0) return <span className={classes.muted}>{t('noPermission')}</span>;
  return (
    <ul className={classes.chips}>
      {inShownOrder(permissions).map((one) => (
        <li
          key={one}
          data-money={one === 'withdrawals:write' || one === 'mcp:withdraw'}
          data-caps={one === 'mcp:withdraw'}
          className={classes.chip}
        >
          {one === 'mcp:withdraw' && call !== null && day !== null
            ? t('askUpTo', { call: reais(call), day: reais(day) })
            : t(`permissions.${one}.short`)}
        </li>
      ))}
    </ul>
  );
}

function AllowedIps({ ranges }: { ranges: readonly string[] }) {
  const t = useTranslations('panel.keys');
  const [first, ...others] = ranges;
  if (first === undefined) return <span className={classes.muted}>{t('anywhere')}</span>;
  return (
    <span>
      <code className={classes.code}>{first}</code>
      {others.length > 0 && (
        <Tooltip
          label={others.join(', ')}
          multiline
          maw={320}
          withArrow
          events={{ hover: true, focus: true, touch: true }}
        >
          <Muted span tabIndex={0} className={classes.more}>
            {t('moreIps', { count: others.length })}
          </Muted>
        </Tooltip>
      )}
    </span>
  );
}
