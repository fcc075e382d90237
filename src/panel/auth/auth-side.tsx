import { useTranslations } from 'next-intl';
import { Mark } from '#panel/mark.tsx';
import classes from './auth-side.module.css';

/** Two tracks that become one: the first comes from above, and both lead to where one signs in. */
const THROUGH = 'M-20 596H760M-20 620H760';
const JOINING = 'M476-20V480a140 140 0 0 0 140 140H760M500-20V480a116 116 0 0 0 116 116H760';

/** What stands beside every form before the sign-in: who we are. */
export function AuthSide() {
  const t = useTranslations('auth');
  return (
    <header className={classes.side}>
      <svg className={classes.tracks} viewBox="0 0 720 900" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
        <path d={THROUGH} />
        <path d={JOINING} className={classes.joining} />
      </svg>
      <p className={classes.brand}>
        <Mark size={32} /> Trilho
      </p>
      <div className={classes.words}>
        <p className={classes.promise}>{t('promise')}</p>
        <p className={classes.text}>{t('promiseText')}</p>
      </div>
    </header>
  );
}
