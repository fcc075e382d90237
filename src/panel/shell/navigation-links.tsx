import { NavLink, Stack, Text } from '@mantine/core';
import { IconBook, IconExternalLink } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId } from 'react';
import { Link } from '#panel/link.tsx';
import { useFirstSteps } from '#panel/start/use-first-steps.ts';
import { Icon } from './icon.tsx';
import { Muted } from './muted.tsx';
import {
  ACCOUNT,
  ACTIONS,
  currentAt,
  DEVELOPERS,
  type Destination,
  DISPUTES,
  MAIN,
  START,
  UNMATCHED,
} from './navigation.ts';
import pages from './page-links.module.css';
import classes from './shell.module.css';
import { usePanel } from './use-panel.ts';

/** Every page of the panel, as the bar at the side and the phone's menu show them. */
export function NavigationLinks() {
  const t = useTranslations('panel.shell');
  const { steps } = useFirstSteps();
  const linkTo = usePageLink();
  const { me, sees } = usePanel();
  const links = (destinations: readonly Destination[]) =>
    destinations
      .filter(({ path }) => sees(path))
      .map(({ name, path, icon }) => (
        <NavLink
          key={path}
          component={Link}
          {...linkTo(path)}
          label={t(name)}
          leftSection={<Icon of={icon} />}
          className={pages.link}
        />
      ));
  return (
    <Stack gap={0} p="16px 12px 24px">
      {links([...MAIN, ...(me.has_unmatched ? [UNMATCHED] : []), ...(me.has_disputes ? [DISPUTES] : []), ...ACTIONS])}
      <Links title={t('developers')}>
        {links(DEVELOPERS)}
        <NavLink
          component="a"
          href="/docs"
          target="_blank"
          label={t('docs')}
          leftSection={<Icon of={IconBook} />}
          rightSection={<Icon of={IconExternalLink} size={14} />}
          className={pages.link}
        />
      </Links>
      <Links title={t('account')}>
        {links(ACCOUNT.filter(({ name }) => name !== 'reconciliation' || me.has_reconciliation))}
        {/* Last, so that nothing moves when it comes or goes. */}
        {steps && steps.next !== null && links([START])}
      </Links>
      <Muted mt={24} px={12} fz="xs">
        {t('zone')}
      </Muted>
    </Stack>
  );
}

/**
 * Links under what they have in common, which is no heading: the page's own, the first, comes after
 * them.
 */
function Links({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Stack gap={0} role="group" aria-labelledby={id}>
      <Text id={id} className={classes.group}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}

/** Returns the props of a link to a page of the panel, with what it is to the current one. */
export function usePageLink() {
  const { href } = usePanel();
  const pathname = usePathname();
  return (path: string) => {
    const current = currentAt(pathname, path);
    return { href: href(path), active: current !== undefined, 'aria-current': current };
  };
}
