import { IconColumns } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon } from '../shell/icon.tsx';
import { COLUMNS, type ColumnName, FIXED_COLUMNS } from './columns.ts';
import { ChoiceMenu } from './filter-button.tsx';

type Props = { columns: readonly ColumnName[]; onChange: (columns: readonly ColumnName[]) => void };

/** The choice of the table's columns, which the browser keeps. */
export function ColumnMenu({ columns, onChange }: Props) {
  const t = useTranslations('panel.transactions.columns');
  const options = COLUMNS.map((value) => ({ value, label: t(value), disabled: FIXED_COLUMNS.includes(value) }));
  return (
    <ChoiceMenu
      label={t('choose')}
      icon={<Icon of={IconColumns} size={16} />}
      options={options}
      chosen={columns}
      onChange={onChange}
    />
  );
}
