import { useFormatter, useTranslations } from 'next-intl';
import { API_CHANGES } from '#contract/api-changes.ts';
import { createFormats } from '../create-formats.ts';
import classes from './docs-page.module.css';
import { Codes, MARKS, Prose } from './section.tsx';

const DAYS = [...Map.groupBy<string, (typeof API_CHANGES)[number]>(API_CHANGES, ({ date }) => date)];

/** Every change of the API by its day, with the operations and events that it brought. */
export function Changes() {
  const t = useTranslations('docs');
  const { day: dayText } = createFormats(useFormatter(), useTranslations('formats'));
  const list = DAYS.map(([day, changes]) => (
    <div key={day}>
      <h3 className={classes.subheading}>
        <time dateTime={day}>{dayText(day)}</time>
      </h3>
      <ul className={classes.points}>
        {changes.map((change) => (
          <li key={change.id}>
            {t.rich(`changes.texts.${change.id}`, MARKS)}{' '}
            {'operations' in change &&
              change.operations.map((id, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <a href={`#${id}`}>{t(`operations.${id}.summary`)}</a>
                </span>
              ))}{' '}
            {'events' in change && <Codes texts={change.events} />}
          </li>
        ))}
      </ul>
    </div>
  ));
  return <Prose id="changes" parts={{ list: <>{list}</> }} />;
}
