import { API_CHANGES } from '#contract/api-changes.ts';
import { DEFAULT_PERMISSIONS, FIRST_KEY_PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import recipes from '#public/recipes.json' with { type: 'json' };
import { RECIPE_NAMES } from '../recipe-names.ts';
import { reference } from '../reference.ts';
import { DEVELOPER_COMMANDS, SANDBOX_COMMANDS } from '../sandbox-commands.ts';
import * as errors from '../tables/error-tables.ts';
import { OVERLAPS, permissionsTable, secretsTable } from '../tables/key-tables.ts';
import { magicValuesTable, switchesTable } from '../tables/sandbox-tables.ts';
import type { Table, Texts } from '../tables/table.ts';
import * as transactions from '../tables/transaction-tables.ts';
import { VERSION_VALUES } from '../version-values.ts';
import { VERIFY_WEBHOOK } from '../webhook-samples.ts';
import { codeBlock, jsonBlock, list, markdownMarks, markdownTable } from './markdown.ts';
import { operationMarkdown } from './operation-markdown.ts';

/** A section of the reference by itself; `part` is the heading that it stands under. */
export type MarkdownSection = { id: string; part: string; title: string; summary: string; text: string };

/** The sections for the base address of the last request: an installation has one address. */
let written: { base: string; sections: MarkdownSection[] } | null = null;

/** The sections of /docs in its order, as Markdown with addresses below `base`. */
export function markdownSections(t: Texts, base: string): MarkdownSection[] {
  if (written?.base !== base) {
    const sections = [...guides(t, base), ...recipeSections(t, base), ...operations(t, base), ...concepts(t, base)];
    written = { base, sections };
  }
  return written.sections;
}

/** The names of the sections that are prose. */
type ProseId = Parameters<typeof prose>[2];

/**
 * Returns a text of the catalogue as Markdown, with its tables and whatever else it has tags for.
 */
function prose(
  t: Texts,
  base: string,
  id:
    | ('firstSteps' | 'libraries' | 'permissions' | 'secrets' | 'amounts' | 'order' | 'errors' | 'errorCodes')
    | ('failureCodes' | 'warnings' | 'idempotency' | 'rateLimits' | 'versions' | 'changes' | 'splits' | 'limits')
    | ('webhooks' | 'events' | 'sandbox' | 'developing' | 'switches' | 'assistants' | keyof typeof recipes),
  { table, parts = {}, values = {} }: { table?: Table; parts?: Record<string, string>; values?: object } = {},
): string {
  const blocks = { ...parts, ...(table && { table: markdownTable(table, base) }) };
  const tags = Object.fromEntries(Object.entries(blocks).map(([name, text]) => [name, () => `${text}\n\n`]));
  const marked = t.markup(`docs.${id}.text`, { ...markdownMarks(base), ...values, ...tags } as never);
  return marked.replaceAll(/\n{3,}/g, '\n\n').trim();
}

function guides(t: Texts, base: string): MarkdownSection[] {
  const section = (id: ProseId, options?: Parameters<typeof prose>[3]) => ({
    ...{ id, part: t('docs.parts.start'), title: t(`docs.${id}.title`), summary: '' },
    text: prose(t, base, id, options),
  });
  const keysOf = (name: 'panelKey' | 'firstKey', permissions: readonly string[]) =>
    t.markup(`docs.permissions.${name}`, {
      ...markdownMarks(base),
      list: () => permissions.map((one) => `\`${one}\``).join(', '),
    });
  const keys = list([keysOf('panelKey', DEFAULT_PERMISSIONS), keysOf('firstKey', FIRST_KEY_PERMISSIONS)]);
  return [
    section('firstSteps', { values: { base } }),
    section('libraries'),
    section('permissions', { table: permissionsTable(t), parts: { keys } }),
    section('secrets', { table: secretsTable(t), values: OVERLAPS }),
    section('amounts'),
    section('order'),
    section('errors', { table: errors.errorStatusesTable(t) }),
    section('errorCodes', {
      table: errors.errorCodesTable(t),
      parts: { issues: markdownTable(errors.issuesTable(t), base) },
    }),
    section('failureCodes', { table: errors.failureCodesTable(t) }),
    section('warnings'),
    section('idempotency'),
    section('rateLimits', { table: errors.rateLimitsTable(t) }),
    section('versions', { values: VERSION_VALUES }),
    section('changes', { parts: { list: changes(t, base) } }),
  ];
}

const changes = (t: Texts, base: string): string =>
  list(
    API_CHANGES.map((change) => {
      const names = [
        ...('operations' in change ? change.operations : []),
        ...('events' in change ? change.events : []),
      ];
      const text = t.markup(`docs.changes.texts.${change.id}`, markdownMarks(base));
      return `${change.date}: ${text} ${names.map((name) => `\`${name}\``).join(', ')}`.trim();
    }),
  );

const LANGUAGES_OF_FILES = { sh: 'sh', ts: 'ts' } as const;

const recipeSections = (t: Texts, base: string): MarkdownSection[] =>
  RECIPE_NAMES.map((id) => {
    const { file, code } = recipes[id];
    const ending = (file.split('.').at(-1) ?? '') as keyof typeof LANGUAGES_OF_FILES;
    const program = codeBlock(LANGUAGES_OF_FILES[ending], code);
    return {
      ...{ id, part: t('docs.parts.recipes'), title: t(`docs.${id}.title`), summary: file },
      text: prose(t, base, id, { parts: { program } }),
    };
  });

const operations = (t: Texts, base: string): MarkdownSection[] =>
  reference.groups.flatMap(({ tag, operations }) =>
    operations.map((operation) => ({
      id: operation.id,
      part: t(`docs.tags.${tag}.name`),
      title: t(`docs.operations.${operation.id}.summary`),
      summary: `\`${operation.method} ${operation.path}\``,
      text: operationMarkdown(t, operation, base),
    })),
  );

function concepts(t: Texts, base: string): MarkdownSection[] {
  const section = (part: string, id: ProseId, options?: Parameters<typeof prose>[3], more = '') => ({
    ...{ id, part, title: t(`docs.${id}.title`), summary: '' },
    text: `${prose(t, base, id, options)}${more}`,
  });
  const {
    concepts: conceptsPart,
    webhooks,
    sandbox,
  } = {
    concepts: t('docs.parts.concepts'),
    webhooks: t('docs.parts.webhooks'),
    sandbox: t('docs.parts.sandbox'),
  };
  const samples = `\n\n${codeBlock('js', VERIFY_WEBHOOK.node)}\n\n${codeBlock('python', VERIFY_WEBHOOK.python)}`;
  return [
    {
      ...{ id: 'states', part: conceptsPart, title: t('docs.states.title'), summary: '' },
      text: states(t, base),
    },
    section(conceptsPart, 'splits'),
    section(conceptsPart, 'limits', { table: transactions.limitsTable(t) }),
    section(conceptsPart, 'assistants', { values: { base } }),
    section(
      webhooks,
      'webhooks',
      {
        values: { count: WEBHOOK_ATTEMPTS_MAX },
        parts: {
          topics: markdownTable(transactions.topicsTable(t), base),
          headers: list(reference.webhookHeaders.map(({ name, description }) => `\`${name}\`: ${description}`)),
          schedule: transactions.attemptWaits(t).join(', '),
        },
      },
      samples,
    ),
    section(webhooks, 'events', { parts: { list: events(t) } }),
    section(sandbox, 'sandbox', { table: magicValuesTable(t) }),
    section(sandbox, 'developing', {}, `\n\n${codeBlock('sh', DEVELOPER_COMMANDS)}`),
    section(sandbox, 'switches', { table: switchesTable(t) }, `\n\n${codeBlock('sh', SANDBOX_COMMANDS)}`),
  ];
}

const states = (t: Texts, base: string): string =>
  [
    t('docs.states.text'),
    ...TRANSACTION_TYPES.flatMap((type) => [
      `### ${t(`docs.states.types.${type}`)} \`${type}\``,
      markdownTable(transactions.statesTable(t, type), base),
    ]),
    `### ${t('docs.states.subTitle')}`,
    t('docs.states.subText'),
    markdownTable(transactions.subStatusesTable(t), base),
  ].join('\n\n');

const events = (t: Texts): string =>
  reference.events
    .map(({ type, key, example }) => {
      const path = `docs.events.types.${key}` as const;
      const says = t.has(`${path}.description`) ? `. ${t(`${path}.description`)}` : '';
      return `### \`${type}\`\n\n${t(`${path}.summary`)}${says}\n\n${jsonBlock(example)}`;
    })
    .join('\n\n');
