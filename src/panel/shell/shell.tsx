import {
  ActionIcon,
  AppShell,
  Avatar,
  Box,
  Group,
  Kbd,
  SegmentedControl,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useMounted } from '@mantine/hooks';
import { IconDots, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Me } from '#contract/members/session.ts';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Link } from '#panel/link.tsx';
import { Mark } from '#panel/mark.tsx';
import { NoticeBell } from '#panel/notices/notice-bell.tsx';
import { useTheme } from '#panel/preferences/use-theme.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Icon } from './icon.tsx';
import { LazyMenu } from './lazy-menu.tsx';
import { ACTIONS, MAIN, pathInMode } from './navigation.ts';
import { NavigationLinks, usePageLink } from './navigation-links.tsx';
import classes from './shell.module.css';
// The server draws these actions before their code is there, and their styles would come with it.
import '#panel/sandbox-controls/test-bar-actions.module.css';
import { StandingNotice } from './standing-notice.tsx';
import { usePanel } from './use-panel.ts';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazyPart(() => import('./command-palette.tsx'), 'CommandPalette');
const MenuDrawer = lazyPart(() => import('./menu-drawer.tsx'), 'MenuDrawer');
const UserMenu = lazyPart(() => import('./user-menu.tsx'), 'UserMenu');
const ShortcutList = lazyPart(() => import('./shortcut-list.tsx'), 'ShortcutList');
const TestBarActions = lazyPart(() => import('#panel/sandbox-controls/test-bar-actions.tsx'), 'TestBarActions');

const NAVBAR_WIDTH = 228;
const HEADER_HEIGHT = 56;
const BAR_HEIGHT = 36;
const FOOTER_HEIGHT = 60;

/** The frame of every page: where members are, where they can go, and in which mode they are. */
export function Shell({ children }: { children: ReactNode }) {
  const { mode, me, href, may, sees } = usePanel();
  const t = useTranslations('panel.shell');
  const formats = useFormats();
  const [menuOpen, menu] = useDisclosure(false);
  const [menuWanted, setMenuWanted] = useState(false);
  const [paletteOpen, palette] = useDisclosure(false);
  const [helpOpen, help] = useDisclosure(false);
  const pathname = usePathname();
  const linkTo = usePageLink();
  const [query, setQuery] = useState('');
  const openPalette = () => {
    setQuery('');
    palette.open();
  };
  useShortcuts({
    onSearch: openPalette,
    onHelp: help.open,
    isSearching: paletteOpen,
    onType: (key) => setQuery((typed) => typedWith(typed, key)),
  });
  useMembersTheme(me.theme);
  // What the server rendered can be used from here on.
  useEffect(() => document.documentElement.setAttribute('data-interactive', ''), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was opened: the menu has done its work.
  useEffect(() => menu.close(), [pathname]);
  const openMenu = () => {
    setMenuWanted(true);
    menu.open();
  };
  const isTest = mode === 'test';
  // A transaction's own page has the sandbox's buttons itself.
  const isDetail = /^\/test\/transacoes\/./.test(pathname);
  const bar = isTest ? t('testBar') : me.demo ? t('demoBar') : null;

  return (
    <AppShell
      header={{ height: HEADER_HEIGHT + (bar ? BAR_HEIGHT : 0) }}
      navbar={{ width: NAVBAR_WIDTH, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: { base: FOOTER_HEIGHT, sm: 0 } }}
      padding={0}
      classNames={{
        root: classes.root,
        main: classes.main,
        header: classes.header,
        navbar: classes.navbar,
        footer: classes.footer,
      }}
    >
      <AppShell.Header>
        <a href="#content" className={classes.skip}>
          {t('skip')}
        </a>
        {bar && (
          <div className={classes.bar} data-test={isTest} style={{ height: BAR_HEIGHT }}>
            <span className={classes.barText}>
              {isTest && me.test_clock ? t('testClock', { day: formats.day(me.test_clock.day) }) : bar}
            </span>
            {isTest && !isDetail && may('sandbox.command') && (
              <Suspense fallback={null}>
                <TestBarActions />
              </Suspense>
            )}
          </div>
        )}
        <Group h={HEADER_HEIGHT} px="md" gap="sm" wrap="nowrap" className={classes.top}>
          <Link href={href('/inicio')} className={classes.brand}>
            <Mark />
            <span className={classes.name}>Trilho</span>
            <span className={classes.merchant} title={me.merchant_name}>
              {me.merchant_name}
            </span>
          </Link>
          <ModeSwitch />
          <div className={classes.spring} />
          <UnstyledButton className={classes.search} data-small-target onClick={openPalette} aria-label={t('search')}>
            <Icon of={IconSearch} size={16} />
            <span className={classes.searchText}>{t('search')}</span>
            <Kbd size="xs" className={classes.searchKey} aria-hidden="true">
              Ctrl K
            </Kbd>
          </UnstyledButton>
          <ThemeButton />
          <NoticeBell />
          <LazyMenu
            menu={(place) => <UserMenu {...place} onHelp={help.open} />}
            button={(props) => (
              <UnstyledButton {...props} aria-label={t('user')} bdrs={999} data-small-target>
                <Avatar
                  size={32}
                  radius="xl"
                  name={me.name}
                  aria-hidden="true"
                  classNames={{ placeholder: classes.initials }}
                />
              </UnstyledButton>
            )}
          />
        </Group>
      </AppShell.Header>

      <AppShell.Navbar aria-label={t('nav')} visibleFrom="sm">
        <Box h="100%" style={{ overflowY: 'auto' }}>
          <NavigationLinks />
        </Box>
      </AppShell.Navbar>

      <AppShell.Main id="content" tabIndex={-1}>
        <StandingNotice />
        {children}
      </AppShell.Main>

      <AppShell.Footer aria-label={t('nav')} component="nav" hiddenFrom="sm">
        <div className={classes.tabs}>
          {[MAIN[0], MAIN[1], ACTIONS[0], MAIN[2]]
            .filter(({ path }) => sees(path))
            .map(({ name, path, icon }) => {
              const { active, ...link } = linkTo(path);
              return (
                <Link key={path} {...link} className={classes.tab} data-active={active}>
                  <Icon of={icon} size={20} />
                  {t(name)}
                </Link>
              );
            })}
          <UnstyledButton className={classes.tab} onClick={openMenu} aria-haspopup="dialog" aria-expanded={menuOpen}>
            <Icon of={IconDots} size={20} />
            {t('more')}
          </UnstyledButton>
        </div>
      </AppShell.Footer>

      <Suspense fallback={null}>
        {menuWanted && <MenuDrawer opened={menuOpen} onClose={menu.close} />}
        {paletteOpen && (
          <CommandPalette query={query} onQueryChange={setQuery} onClose={palette.close} onHelp={help.open} />
        )}
        {helpOpen && <ShortcutList onClose={help.close} />}
      </Suspense>
    </AppShell>
  );
}

/** Returns a text after a key was pressed behind it. */
function typedWith(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : text;
}

function ModeSwitch() {
  const t = useTranslations('panel.shell');
  const { mode } = usePanel();
  const pathname = usePathname();
  const router = useRouter();
  return (
    <SegmentedControl
      size="xs"
      // Never cut off: the name gives way to it.
      flex="none"
      aria-label={t('modeLabel')}
      value={mode}
      onChange={(chosen) => router.push(pathInMode(pathname, chosen as 'live' | 'test'))}
      data={[
        { value: 'live', label: t('live') },
        { value: 'test', label: t('test') },
      ]}
    />
  );
}

function ThemeButton() {
  const t = useTranslations('panel.shell');
  const { choose } = useTheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: true });
  // The server draws the moon: a scheme that this browser keeps is known only once the page runs.
  const isDark = useMounted() && scheme === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t('theme')}
      onClick={() => choose(isDark ? 'light' : 'dark')}
      className={classes.themeButton}
    >
      <Icon of={isDark ? IconSun : IconMoon} />
    </ActionIcon>
  );
}

/** Applies the theme that a member chose, in every browser that they sign in with. */
function useMembersTheme(theme: Me['theme']): void {
  const { setColorScheme } = useMantineColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Mantine's function is a new one in every render; what was chosen since would be undone.
  useEffect(() => {
    if (theme) setColorScheme(theme);
  }, [theme]);
}
