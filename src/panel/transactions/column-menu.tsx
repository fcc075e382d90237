import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon } from '#panel/shell/icons.tsx';
import { COLUMNS, type Column, FIXED_COLUMNS } from './columns.ts';

/** Which columns the table has; kept by the browser. */
export function ColumnMenu(props: { columns: readonly Column[]; onChange: (columns: readonly Column[]) => void }) {
  const t = useTranslations('panel.transactions');
  return (
    <Popover position="bottom-end" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon of={IconColumns} size={16} />}>
          {t('columns.choose')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          label={t('columns.choose')}
          value={[...props.columns]}
          onChange={(chosen) => props.onChange(COLUMNS.filter((column) => chosen.includes(column)))}
        >
          <Stack gap={8} mt={8}>
            {COLUMNS.map((column) => (
              <Checkbox
                key={column}
                size="sm"
                value={column}
                label={t(`columns.${column}`)}
                disabled={FIXED_COLUMNS.includes(column)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
