import { useTranslations } from 'next-intl';
import { OVERLAP_HOURS_MAX } from '#domain/api-keys/api-key-state.ts';
import {
  DEFAULT_PERMISSIONS,
  FIRST_KEY_PERMISSIONS,
  PERMISSIONS,
  type Permission,
} from '#domain/api-keys/permissions.ts';
import { SECRET_OVERLAP_MS } from '#domain/webhooks/webhook-secrets.ts';
import classes from './docs-page.module.css';
import { reference } from './reference.ts';
import { Codes, MARKS, Prose } from './section.tsx';

/** What each permission allows, the operations that ask for it, and which keys have it at first. */
export function Permissions() {
  const t = useTranslations('docs.permissions');
  const allows = useTranslations('panel.keys.permissions');
  const rows = PERMISSIONS.map((permission) => [
    <code key="permission">{permission}</code>,
    permission === 'accounts:write' ? `${allows(`${permission}.text`)} ${t('accounts')}` : allows(`${permission}.text`),
    <Operations key="operations" permission={permission} />,
  ]);
  rows.push([t('none'), t('noneText'), <Operations key="operations" permission={null} />]);
  const listed = (permissions: readonly Permission[]) => ({ ...MARKS, list: () => <Codes texts={permissions} /> });
  const parts = {
    keys: (
      <ul className={classes.points}>
        <li>{t.rich('panelKey', listed(DEFAULT_PERMISSIONS))}</li>
        <li>{t.rich('firstKey', listed(FIRST_KEY_PERMISSIONS))}</li>
      </ul>
    ),
  };
  const head = [t('permission'), t('allows'), t('operations')];
  return <Prose id="permissions" table={{ head, rows }} parts={parts} />;
}

/** Those that ask for the permission; null: those that any key may call. */
function Operations({ permission }: { permission: Permission | null }) {
  const t = useTranslations('docs.operations');
  return (
    <ul className={classes.plainList}>
      {reference.operations
        .filter((operation) => operation.permission === permission)
        .map(({ id }) => (
          <li key={id}>
            <a href={`#${id}`}>{t(`${id}.summary`)}</a>
          </li>
        ))}
    </ul>
  );
}

const SECRETS = { apiKey: ['tr_live_', 'tr_test_'], webhookSecret: ['whsec_'], credentials: [] } as const;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** The secrets of an integration: where each comes from, when it is shown, how it is replaced. */
export function Secrets() {
  const t = useTranslations('docs.secrets');
  const rows = (Object.keys(SECRETS) as (keyof typeof SECRETS)[]).map((secret) => [
    t(`rows.${secret}.name`),
    <Codes key="form" texts={SECRETS[secret]} />,
    t(`rows.${secret}.where`),
    t(`rows.${secret}.shown`),
  ]);
  const values = { keyDays: OVERLAP_HOURS_MAX / DAY_HOURS, secretHours: SECRET_OVERLAP_MS / HOUR_MS };
  const head = [t('secret'), t('form'), t('where'), t('shown')];
  return <Prose id="secrets" table={{ head, rows }} values={values} />;
}
