import { useTranslations } from 'next-intl';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './delivery-attempts.module.css';

/** Headers of a webhook; null: a signature by a secret that is kept no more. */
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
