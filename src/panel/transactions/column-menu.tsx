import { Button, Popover } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '../shell/icon.tsx';
import type { CheckList as CheckListOf } from './check-list.tsx';
import { COLUMNS, type Column, FIXED_COLUMNS } from './columns.ts';

type Props = { columns: readonly Column[]; onChange: (columns: readonly Column[]) => void };

// The boxes are needed by who chooses.
const CheckList = lazyPart(() => import('./check-list.tsx'), 'CheckList') as typeof CheckListOf;

/** Which columns the table has; kept by the browser. */
export function ColumnMenu({ columns, onChange }: Props) {
  const t = useTranslations('panel.transactions');
  return (
    <Popover position="bottom-end" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon of={IconColumns} size={16} />}>
          {t('columns.choose')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>
          <CheckList
            label={t('columns.choose')}
            options={COLUMNS.map((value) => ({
              value,
              label: t(`columns.${value}`),
              disabled: FIXED_COLUMNS.includes(value),
            }))}
            chosen={columns}
            onChange={onChange}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
