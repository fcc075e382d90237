import {
  IconArrowDown,
  IconArrowUp,
  IconBook,
  IconFlask,
  IconKeyboard,
  IconLogout,
  IconSearch,
} from '@tabler/icons-react';
import { withoutAccents } from '#domain/values/without-accents.ts';
import '@mantine/spotlight/styles.css';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { api } from '#panel/api.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { Icon, type IconShape } from './icon.tsx';
import { ALL_PAGES } from './navigation.ts';
import { signOut } from './sign-out.ts';
import { useDialog } from './use-dialog.ts';
import { usePanel } from './use-panel.ts';

/** A shorter text is searched for among pages and actions only. */
const SEARCH_LENGTH_MIN = 3;
const PAUSE_MS = 200;
/** By this `useShortcuts` knows the field. */
const FIELD = { 'data-palette': true };
/** The entry that the arrow keys have selected. */
const MARKED = '[data-action][data-selected]';

const [store, palette] = createSpotlight();

type Entry = { id: string; label: string; description?: string; leftSection: ReactNode; onClick(): void };

type Props = {
  /** What is typed; it begins before the palette's code is there. */
  query: string;
  onQueryChange: (query: string) => void;
  onClose: () => void;
  onHelp: () => void;
};

/** Ctrl-K: pages, actions, and transactions by id, e-mail, document, end-to-end id or amount. */
export function CommandPalette({ query, onQueryChange, onClose, onHelp }: Props) {
  const t = useTranslations('panel.shell');
  const formats = useFormats();
  const router = useRouter();
  const { mode, href, sees } = usePanel();
  const [wanted] = useDebouncedValue(query.trim(), PAUSE_MS);
  const isSearched = query.trim().length >= SEARCH_LENGTH_MIN;
  // The list marks its first entry as soon as something is typed, and Enter means that one: what
  // was found for another text may not be there.
  const isCurrent = wanted === query.trim();
  const search = api.search.find.useQuery({ text: wanted }, { enabled: isSearched && isCurrent });
  const isTop = useDialog();
  useEffect(() => palette.open(), []);

  const entry = (id: string, icon: IconShape, label: string, onClick: () => void): Entry => ({
    id,
    label,
    leftSection: <Icon of={icon} />,
    onClick,
  });
  const matches = ({ label }: Entry) => plain(label).includes(plain(query.trim()));
  const other = mode === 'live' ? 'test' : 'live';
  const found = (isSearched && isCurrent ? (search.data?.data ?? []) : []).map(
    ({ id, type, amount, title, created_at }) => {
      const icon = type.endsWith('_in') ? IconArrowDown : IconArrowUp;
      const show = () => router.push(href(`/transacoes/${id}`));
      return {
        ...entry(id, icon, `${formats.reais(amount)} · ${title}`, show),
        description: formats.instant(created_at),
      };
    },
  );
  const pages = ALL_PAGES.filter(({ path }) => sees(path)).map(({ name, path, icon }) =>
    entry(path, icon, t(name), () => router.push(href(path))),
  );
  const actions = [
    entry('mode', IconFlask, `${t('modeLabel')}: ${t(other)}`, () => router.push(`/${other}/inicio`)),
    entry('docs', IconBook, t('docs'), () => void window.open('/docs', '_blank', 'noopener')),
    entry('shortcuts', IconKeyboard, t('shortcuts'), onHelp),
    entry('sign-out', IconLogout, t('signOut'), () => void signOut()),
  ];
  const groups = [
    { group: t('found'), actions: found },
    { group: t('pages'), actions: pages.filter(matches) },
    { group: t('actions'), actions: actions.filter(matches) },
  ].filter((group) => group.actions.length > 0);

  // Results come after what was typed, and are not selected by themselves: Enter means the first of
  // them.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || document.querySelector(MARKED)) return;
    const first = groups[0]?.actions[0];
    if (!first) return;
    first.onClick();
    palette.close();
  };

  return (
    <Spotlight
      store={store}
      query={query}
      onQueryChange={onQueryChange}
      onSpotlightClose={onClose}
      shortcut={null}
      closeOnEscape={isTop}
      scrollable
      maxHeight={440}
      // As behind every other dialog; the library's own is blurred.
      overlayProps={{ backgroundOpacity: 0.6 }}
      actions={groups}
      filter={(_, all) => all}
      searchProps={{
        onKeyDown,
        ...FIELD,
        placeholder: t('searchPlaceholder'),
        'aria-label': t('searchHint'),
        leftSection: <Icon of={IconSearch} />,
      }}
      nothingFound={
        <Text fz="sm">{t(search.isFetching || (isSearched && !isCurrent) ? 'searching' : 'searchNothing')}</Text>
      }
    />
  );
}

/** As many people type it: `Transações` without its accents. */
const plain = (text: string): string => withoutAccents(text).toLocaleLowerCase();
