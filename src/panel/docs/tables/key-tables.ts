import { OVERLAP_HOURS_MAX } from '#domain/api-keys/api-key-state.ts';
import { AGENT_PERMISSIONS, PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { SECRET_OVERLAP_MS } from '#domain/webhooks/webhook-secrets.ts';
import { reference } from '../reference.ts';
import { codeCell, codesCell, sectionLink, type Table, type Texts } from './table.ts';

/** What each permission allows, and the operations that ask for it. */
export function permissionsTable(t: Texts): Table {
  const operations = (permission: Permission | null) =>
    reference.operations
      .filter((operation) => operation.permission === permission)
      .map(({ id }) => sectionLink(id, t(`docs.operations.${id}.summary`)))
      .join('\n');
  const allows = (permission: Permission) => t(`panel.keys.permissions.${permission}.text`);
  return {
    label: t('docs.permissions.title'),
    head: [t('docs.permissions.permission'), t('docs.permissions.allows'), t('docs.permissions.operations')],
    rows: [
      ...PERMISSIONS.map((permission) => [
        codeCell(permission),
        permission === 'accounts:write'
          ? `${allows(permission)} ${t('docs.permissions.accounts')}`
          : allows(permission),
        operations(permission),
      ]),
      ...AGENT_PERMISSIONS.map((permission) => [codeCell(permission), allows(permission), codeCell('POST /mcp')]),
      [t('docs.permissions.none'), t('docs.permissions.noneText'), operations(null)],
    ],
  };
}

const SECRETS = {
  apiKey: ['tr_live_', 'tr_test_'],
  webhookSecret: ['whsec_'],
  endpointSecret: ['whsec_'],
  credentials: [],
} as const;

/** The secrets of an integration: where each comes from, and when it is shown. */
export const secretsTable = (t: Texts): Table => ({
  label: t('docs.secrets.title'),
  head: [t('docs.secrets.secret'), t('docs.secrets.form'), t('docs.secrets.where'), t('docs.secrets.shown')],
  rows: (Object.keys(SECRETS) as (keyof typeof SECRETS)[]).map((secret) => [
    t(`docs.secrets.rows.${secret}.name`),
    codesCell(SECRETS[secret]),
    t(`docs.secrets.rows.${secret}.where`),
    t(`docs.secrets.rows.${secret}.shown`),
  ]),
});

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** How long what was replaced still works: an API key in days, a webhook secret in hours. */
export const OVERLAPS = { keyDays: OVERLAP_HOURS_MAX / DAY_HOURS, secretHours: SECRET_OVERLAP_MS / HOUR_MS };
