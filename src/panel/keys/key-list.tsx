import { ActionIcon, Menu, Table, Tooltip } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { FoldingTable } from '#panel/shell/folding-table.tsx';
import { Icon } from '#panel/shell/icons.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { When } from '#panel/shell/when.tsx';
import classes from './key-list.module.css';
import { KeyState } from './key-state.tsx';
import { inShownOrder, shownKey, works } from './key-text.ts';

export type KeyAction = 'quickStart' | 'rotate' | 'revoke';

/** The button of a key's menu: where the focus goes back to when what was opened from it is closed. */
export const menuOf = (keyId: string): HTMLElement | null => document.querySelector(`[data-key-menu="${keyId}"]`);

type Props = { keys: readonly ApiKeyOutput[]; onAction: (action: KeyAction, key: ApiKeyOutput) => void };

/** The keys as a table; on a phone, where CSS makes blocks of its rows, as a list. */
export function KeyList({ keys, onAction }: Props) {
  const t = useTranslations('panel.keys.columns');
  return (
    <FoldingTable folds="early">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('name')}</Table.Th>
          <Table.Th>{t('state')}</Table.Th>
          <Table.Th>{t('permissions')}</Table.Th>
          <Table.Th>{t('ips')}</Table.Th>
          <Table.Th>{t('lastUse')}</Table.Th>
          <Table.Th>{t('expiry')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('actions')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow key={key.key_id} apiKey={key} onAction={onAction} />
        ))}
      </Table.Tbody>
    </FoldingTable>
  );
}

function KeyRow({ apiKey, onAction }: { apiKey: ApiKeyOutput; onAction: Props['onAction'] }) {
  const t = useTranslations('panel.keys');
  const { last_used_at: lastUsedAt, expires_at: expiresAt } = apiKey;
  return (
    <Table.Tr data-ended={!works(apiKey)} className={classes.row}>
      <Table.Th scope="row" className={classes.name}>
        <span className={classes.nameText}>{apiKey.name}</span>
        <code className={classes.code}>{shownKey(apiKey)}</code>
      </Table.Th>
      <Table.Td className={classes.state}>
        <KeyState apiKey={apiKey} />
      </Table.Td>
      <Table.Td className={classes.permissions}>
        <Permissions permissions={apiKey.permissions} />
      </Table.Td>
      <Table.Td className={classes.ips}>
        <AllowedIps ranges={apiKey.allowed_ips} />
      </Table.Td>
      <Table.Td className={classes.lastUse}>
        {lastUsedAt === null ? (
          <span className={classes.muted}>{t('neverUsed')}</span>
        ) : (
          <>
            <span className={classes.onPhone}>{t('columns.lastUse')} </span>
            <When at={lastUsedAt} />
          </>
        )}
      </Table.Td>
      <Table.Td className={classes.expiry}>
        {expiresAt === null ? (
          <span className={classes.muted}>{t('neverExpires')}</span>
        ) : (
          <>
            <span className={classes.onPhone}>{t('columns.expiry')} </span>
            <When at={expiresAt} />
          </>
        )}
      </Table.Td>
      <Table.Td className={classes.actions}>
        {works(apiKey) && <KeyMenu apiKey={apiKey} onAction={onAction} />}
      </Table.Td>
    </Table.Tr>
  );
}

function Permissions({ permissions }: { permissions: ApiKeyOutput['permissions'] }) {
  const t = useTranslations('panel.keys');
  if (permissions.length === 0) return <span className={classes.muted}>{t('noPermission')}</span>;
  return (
    <ul className={classes.chips}>
      {inShownOrder(permissions).map((one) => (
        <li key={one} data-money={one === 'withdrawals:write'} className={classes.chip}>
          {t(`permissions.${one}.short`)}
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

function KeyMenu({ apiKey, onAction }: { apiKey: ApiKeyOutput; onAction: Props['onAction'] }) {
  const t = useTranslations('panel.keys.menu');
  return (
    // The placeholder for the first focus is no menu item, which a menu may not hold.
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          data-key-menu={apiKey.key_id}
          variant="subtle"
          color="gray"
          aria-label={t('label', { name: apiKey.name })}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="code" size={16} />} onClick={() => onAction('quickStart', apiKey)}>
          {t('quickStart')}
        </Menu.Item>
        {apiKey.state === 'active' && (
          <Menu.Item leftSection={<Icon name="refresh" size={16} />} onClick={() => onAction('rotate', apiKey)}>
            {t('rotate')}
          </Menu.Item>
        )}
        <Menu.Item
          c="var(--tone-bad)"
          leftSection={<Icon name="trash" size={16} />}
          onClick={() => onAction('revoke', apiKey)}
        >
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
