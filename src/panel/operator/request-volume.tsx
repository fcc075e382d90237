import { SimpleGrid, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { SystemState } from '#contract/operator/system.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useCodeName } from './use-code-name.ts';

type Row = SystemState['volume'][number];
type Sum = Pick<Row, 'requests' | 'rejected' | 'failed'> & { key: string };

/** The number of REST requests, by hour and by what they asked for. */
export function RequestVolume({ volume }: { volume: readonly Row[] }) {
  const t = useTranslations('operator.system');
  const formats = useFormats();
  const codeName = useCodeName();
  return (
    <Section title={t('volume')} text={t('volumeText')}>
      {volume.length === 0 ? (
        <Text fz="sm">{t('noVolume')}</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={48} verticalSpacing="md">
          <Sums
            title={t('byHour')}
            head={t('hour')}
            rows={sumsBy(volume, ({ hour }) => hour)}
            nameOf={formats.instant}
          />
          <Sums
            title={t('byFamily')}
            head={t('family')}
            rows={sumsBy(volume, ({ family }) => family)}
            nameOf={(family) => codeName('families', family)}
          />
        </SimpleGrid>
      )}
    </Section>
  );
}

function Sums(props: { title: string; head: string; rows: readonly Sum[]; nameOf: (key: string) => string }) {
  const { title, head, rows, nameOf } = props;
  const t = useTranslations('operator.system');
  return (
    <div>
      <Text fz="sm" fw={500} component="h3" mb={4}>
        {title}
      </Text>
      <DataTable
        label={title}
        folds="never"
        rows={rows}
        keyOf={({ key }) => key}
        title={(name) => (name === 'key' ? head : t(name))}
        columns={[
          { name: 'key', isHead: true, cell: ({ key }) => nameOf(key) },
          { name: 'requests', isNumeric: true, cell: ({ requests }) => requests },
          { name: 'rejected', isNumeric: true, cell: ({ rejected }) => rejected },
          { name: 'failed', isNumeric: true, cell: ({ failed }) => failed },
        ]}
      />
    </div>
  );
}

/** One sum for each key, in the order of the rows. */
function sumsBy(volume: readonly Row[], keyOf: (row: Row) => string): Sum[] {
  return [...Map.groupBy(volume, keyOf)].map(([key, rows]) => {
    const sum = (name: 'requests' | 'rejected' | 'failed') => rows.reduce((total, row) => total + row[name], 0);
    return { key, requests: sum('requests'), rejected: sum('rejected'), failed: sum('failed') };
  });
}
