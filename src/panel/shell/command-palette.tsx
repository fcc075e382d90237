import {
  IconArrowDown,
  IconArrowUp,
  IconBook,
  IconFlask,
  IconKeyboard,
  IconLogout,
  IconSearch,
} from '@tabler/icons-react';
import '@mantine/spotlight/styles.css';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { api } from '#panel/api.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { Icon, type IconShape } from './icon.tsx';
import { ALL_PAGES } from './navigation.ts';
import { signOut } from './sign-out.ts';
import { usePanel } from './use-panel.ts';

/** Below this a text is looked for among pages and actions only. */
const SEARCH_LENGTH_MIN = 3;
const PAUSE_MS = 200;
/** The entry that the arrow keys have gone to. */
const MARKED = '[data-action][data-selected]';

const [store, palette] = createSpotlight();

type Entry = { id: string; label: string; description?: string; icon: IconShape; run(): void };

/** Ctrl-K: pages, actions, and transactions by id, e-mail, document, end-to-end id or amount. */
export function CommandPalette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const t = useTranslations('panel.shell');
  const formats = useFormats();
  const router = useRouter();
  const { mode, href } = usePanel();
  const [query, setQuery] = useState('');
  const [wanted] = useDebouncedValue(query.trim(), PAUSE_MS);
  const isLongEnough = wanted.length >= SEARCH_LENGTH_MIN;
  const search = api.search.find.useQuery({ text: wanted }, { enabled: isLongEnough, placeholderData: (old) => old });
  useEffect(() => palette.open(), []);

  const matches = ({ label }: Entry) => label.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase());
  const pages = ALL_PAGES.map(
    ({ name, path, icon }): Entry => ({ id: path, label: t(name), icon, run: () => router.push(href(path)) }),
  ).filter(matches);
  const other = mode === 'live' ? 'test' : 'live';
  const actions: Entry[] = [
    {
      id: 'mode',
      label: `${t('modeLabel')}: ${t(other)}`,
      icon: IconFlask,
      run: () => router.push(`/${other}/inicio`),
    },
    { id: 'docs', label: t('docs'), icon: IconBook, run: () => window.open('/docs', '_blank', 'noopener') },
    { id: 'shortcuts', label: t('shortcuts'), icon: IconKeyboard, run: onHelp },
    { id: 'sign-out', label: t('signOut'), icon: IconLogout, run: () => void signOut() },
  ].filter(matches);
  const found = (isLongEnough ? (search.data?.data ?? []) : []).map(
    (transaction): Entry => ({
      id: transaction.id,
      label: `${formats.reais(transaction.amount)} · ${transaction.title}`,
      description: formats.instant(transaction.created_at),
      icon: transaction.type.endsWith('_in') ? IconArrowDown : IconArrowUp,
      run: () => router.push(href(`/transacoes/${transaction.id}`)),
    }),
  );
  const groups = [
    { label: t('found'), entries: found },
    { label: t('pages'), entries: pages },
    { label: t('actions'), entries: actions },
  ].filter(({ entries }) => entries.length > 0);

  // What was found comes after what was typed, and is not marked by itself: Enter means the first
  // of it.
  const first = groups[0]?.entries[0];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || document.querySelector(MARKED)) return;
    first?.run();
    palette.close();
  };

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={440}
    >
      <Spotlight.Search
        onKeyDown={onKeyDown}
        placeholder={t('searchPlaceholder')}
        aria-label={t('searchHint')}
        leftSection={<Icon of={IconSearch} />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, entries }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {entries.map((entry) => (
              <Spotlight.Action
                key={entry.id}
                label={entry.label}
                {...(entry.description && { description: entry.description })}
                leftSection={<Icon of={entry.icon} />}
                onClick={entry.run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && (
          <Spotlight.Empty>
            <Text fz="sm">{t(search.isFetching ? 'searching' : 'searchNothing')}</Text>
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
