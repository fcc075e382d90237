import { useTranslations } from 'next-intl';
import { DEFAULT_PERMISSIONS, FIRST_KEY_PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import classes from './docs-page.module.css';
import { Codes, MARKS, Prose } from './section.tsx';
import { OVERLAPS, permissionsTable, secretsTable } from './tables/key-tables.ts';

/** What each permission allows, the operations that ask for it, and which keys have it at first. */
export function Permissions() {
  const t = useTranslations();
  const listed = (permissions: readonly Permission[]) => ({ ...MARKS, list: () => <Codes texts={permissions} /> });
  const parts = {
    keys: (
      <ul className={classes.points}>
        <li>{t.rich('docs.permissions.panelKey', listed(DEFAULT_PERMISSIONS))}</li>
        <li>{t.rich('docs.permissions.firstKey', listed(FIRST_KEY_PERMISSIONS))}</li>
      </ul>
    ),
  };
  return <Prose id="permissions" table={permissionsTable(t)} parts={parts} />;
}

export const Secrets = () => <Prose id="secrets" table={secretsTable(useTranslations())} values={OVERLAPS} />;
