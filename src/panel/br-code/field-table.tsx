import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { BrCodeIssue, BrCodeNode } from '#domain/charges/read-br-code.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './br-code-page.module.css';
import { fieldMeaning, fieldName } from './field-name.ts';

/** The fields in their order, those of a template below it; on a phone each is two lines. */
export function FieldTable({ fields, issues }: { fields: readonly BrCodeNode[]; issues: readonly BrCodeIssue[] }) {
  const t = useTranslations('panel.brCode');
  if (fields.length === 0) return <Text fz="sm">{t('noFields')}</Text>;
  const value = (node: BrCodeNode) => {
    const meaning = fieldMeaning(node);
    return (
      <>
        {node.children.length === 0 && <code>{node.value}</code>}
        {meaning && <Muted span fz={13}>{` ${t(`meanings.${meaning}`)}`}</Muted>}
      </>
    );
  };
  return (
    <DataTable
      rows={flatten(fields)}
      keyOf={({ at }) => at}
      title={(name) => t(`columns.${name}`)}
      classes={classes}
      lines={['id name length', '. value value']}
      rowProps={(node) => ({
        'data-invalid': issues.some((issue) => isIn(issue, node)),
        'data-depth': node.path.split('.').length - 1,
      })}
      columns={[
        { name: 'id', cell: ({ path }) => <code>{path}</code>, isHead: true },
        { name: 'name', cell: (node) => t(`fields.${fieldName(node)}`) },
        { name: 'length', cell: ({ length }) => length, isNumeric: true },
        { name: 'value', cell: value },
      ]}
    />
  );
}

const flatten = (nodes: readonly BrCodeNode[]): BrCodeNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)]);

/** Whether an issue lies on the field itself, not on one inside it. */
function isIn({ at, params }: BrCodeIssue, node: BrCodeNode): boolean {
  if (params.field !== undefined) return params.field === node.path;
  return node.children.length === 0 && at >= node.at && at < node.at + 4 + node.value.length;
}
