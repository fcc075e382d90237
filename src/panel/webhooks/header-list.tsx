import { useTranslations } from 'next-intl';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './delivery-attempts.module.css';

/**
 * The headers of a webhook; a value is null for a signature by a secret that is no longer stored.
 */
export function HeaderList({ title, headers }: { title: string; headers: Record<string, string | null> }) {
  const t = useTranslations('panel.webhooks.delivery');
  return (
    <div>
      <Muted fz="xs" mb={4}>
        {title}
      </Muted>
      <dl className={classes.headers}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <em>{t('oldSignature')}</em>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
