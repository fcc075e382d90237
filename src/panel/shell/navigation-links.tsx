import { NavLink, Text } from '@mantine/core';
import { IconBook, IconExternalLink } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Link } from '#panel/link.tsx';
import { useFirstSteps } from '#panel/start/use-first-steps.ts';
import { Icon } from './icon.tsx';
import { ACCOUNT, ACTIONS, DEVELOPERS, type Destination, MAIN, START } from './navigation.ts';
import classes from './shell.module.css';

/** Every page of the panel, as the bar at the side and the phone's menu show them. */
export function NavigationLinks({ mode }: { mode: 'live' | 'test' }) {
  const t = useTranslations('panel.shell');
  return (
    <div className={classes.nav}>
      <Links pages={MAIN} mode={mode} />
      <Links pages={ACTIONS} mode={mode} />
      <Text component="h2" className={classes.group}>
        {t('developers')}
      </Text>
      <Links pages={DEVELOPERS} mode={mode} />
      <NavLink
        component="a"
        href="/docs"
        target="_blank"
        label={t('docs')}
        leftSection={<Icon of={IconBook} />}
        rightSection={<Icon of={IconExternalLink} size={14} />}
        className={classes.link}
      />
      <Text component="h2" className={classes.group}>
        {t('account')}
      </Text>
      <Links pages={ACCOUNT} mode={mode} />
      <FirstStepsLink mode={mode} />
      <Text className={classes.zone}>{t('zone')}</Text>
    </div>
  );
}

/** Last, so that nothing moves when it comes or goes. */
function FirstStepsLink({ mode }: { mode: 'live' | 'test' }) {
  const { steps } = useFirstSteps();
  return steps && steps.next !== null && <Links pages={[START]} mode={mode} />;
}

function Links({ pages, mode }: { pages: readonly Destination[]; mode: 'live' | 'test' }) {
  const t = useTranslations('panel.shell');
  const pathname = usePathname();
  return pages.map(({ name, path, icon }) => {
    const href = `/${mode}${path}`;
    const active = pathname === href || pathname.startsWith(`${href}/`);
    return (
      <NavLink
        key={path}
        component={Link}
        href={href}
        label={t(name)}
        leftSection={<Icon of={icon} />}
        active={active}
        aria-current={active ? 'page' : undefined}
        className={classes.link}
      />
    );
  });
}
