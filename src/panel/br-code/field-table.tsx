import { Table, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { BrCodeIssue, BrCodeNode } from '#domain/charges/read-br-code.ts';
import { FoldingTable } from '#panel/shell/folding-table.tsx';
import classes from './br-code-page.module.css';
import { fieldMeaning, fieldName } from './field-name.ts';

/** The fields in their order, those of a template below it; on a phone each is two lines. */
export function FieldTable({ fields, issues }: { fields: readonly BrCodeNode[]; issues: readonly BrCodeIssue[] }) {
  const t = useTranslations('panel.brCode');
  if (fields.length === 0) return <Text fz="sm">{t('noFields')}</Text>;
  return (
    <FoldingTable>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('columns.id')}</Table.Th>
          <Table.Th>{t('columns.name')}</Table.Th>
          <Table.Th ta="right">{t('columns.length')}</Table.Th>
          <Table.Th>{t('columns.value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {flatten(fields).map((node) => (
          <FieldRow key={node.at} node={node} faulty={issues.some((issue) => isIn(issue, node))} />
        ))}
      </Table.Tbody>
    </FoldingTable>
  );
}

function FieldRow({ node, faulty }: { node: BrCodeNode; faulty: boolean }) {
  const t = useTranslations('panel.brCode');
  const meaning = fieldMeaning(node);
  return (
    <Table.Tr className={classes.row} data-faulty={faulty} data-depth={node.path.split('.').length - 1}>
      <Table.Th scope="row" className={classes.id}>
        <code>{node.path}</code>
      </Table.Th>
      <Table.Td className={classes.name}>{t(`fields.${fieldName(node)}`)}</Table.Td>
      <Table.Td className={classes.length}>{node.length}</Table.Td>
      <Table.Td className={classes.value}>
        {node.children.length === 0 && <code>{node.value}</code>}
        {meaning && <span className={classes.muted}> {t(`meanings.${meaning}`)}</span>}
      </Table.Td>
    </Table.Tr>
  );
}

const flatten = (nodes: readonly BrCodeNode[]): BrCodeNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)]);

/** Whether a issue lies on the field itself, not on one inside it. */
function isIn({ at, params }: BrCodeIssue, node: BrCodeNode): boolean {
  if (params.field !== undefined) return params.field === node.path;
  return node.children.length === 0 && at >= node.at && at < node.at + 4 + node.value.length;
}
