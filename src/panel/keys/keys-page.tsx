'use client';

import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryStates } from 'nuqs';
import { Suspense, useRef, useState } from 'react';
import type { ApiKeyOutput } from '#contract/api-keys/api-keys.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { DocsButton } from '#panel/shell/docs-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { Icon } from '../shell/icon.tsx';
import { type KeyAction, KeyList } from './key-list.tsx';
import { displayKey, isActive } from './key-text.ts';
import classes from './keys-page.module.css';
import type { NewKey } from './new-key-dialog.tsx';
import { QuickStart } from './quick-start.tsx';

// Dialogs above the list are loaded when they are opened.
const CreateKeyDrawer = lazyPart(() => import('./create-key-drawer.tsx'), 'CreateKeyDrawer');
const NewKeyDialog = lazyPart(() => import('./new-key-dialog.tsx'), 'NewKeyDialog');
const RevokeDialog = lazyPart(() => import('./revoke-dialog.tsx'), 'RevokeDialog');
const RotateDialog = lazyPart(() => import('./rotate-dialog.tsx'), 'RotateDialog');

/** What is open above the list. */
type Open =
  | { what: 'create' }
  | { what: 'rotate' | 'revoke'; key: ApiKeyOutput }
  | { what: 'shown'; made: NewKey }
  | null;

/** The account's API keys: what each may do, and everything that can be done with them. */
export function KeysPage() {
  const t = useTranslations('panel.keys');
  const keys = api.keys.list.useQuery();
  const [open, setOpen] = useState<Open>(null);
  const quickStart = useRef<HTMLDivElement>(null);
  // In the address, so that a member who comes back, or follows a link, sees the same.
  const [{ encerradas, chave }, set] = useQueryStates({ encerradas: parseAsString, chave: parseAsString });

  const close = () => setOpen(null);
  const show = (made: NewKey) => setOpen({ what: 'shown', made });
  const act = (action: KeyAction, key: ApiKeyOutput) => {
    if (action !== 'quickStart') return setOpen({ what: action, key });
    void set({ chave: key.key_id });
    quickStart.current?.scrollIntoView({ block: 'start' });
    quickStart.current?.focus({ preventScroll: true });
  };
  const showsEnded = encerradas !== null;
  const empty = <EmptyState title={t('empty.title')} text={t('empty.text')} />;
  const create = (
    <Button leftSection={<Icon of={IconPlus} size={16} />} onClick={() => setOpen({ what: 'create' })}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={create}>
      <QueryState query={keys} skeleton={[184, 320]} isEmpty={(data) => data.keys.length === 0} empty={empty}>
        {(data) => (
          <Stack gap="xl">
            <Stack gap="xs">
              {showsEnded || data.keys.some(isActive) ? (
                <KeyList keys={showsEnded ? data.keys : data.keys.filter(isActive)} onAction={act} />
              ) : (
                empty
              )}
              {!data.keys.every(isActive) && (
                <Checkbox
                  size="sm"
                  label={t('showEnded', { count: data.keys.filter((key) => !isActive(key)).length })}
                  checked={showsEnded}
                  onChange={({ currentTarget }) => set({ encerradas: currentTarget.checked ? '1' : null })}
                />
              )}
            </Stack>
            <div ref={quickStart} tabIndex={-1} className={classes.quickStart}>
              <QuickStartCard keys={data.keys.filter(isActive)} chosen={chave} onChoose={(id) => set({ chave: id })} />
            </div>
          </Stack>
        )}
      </QueryState>
      <Suspense fallback={null}>
        {open?.what === 'create' && keys.data && (
          <CreateKeyDrawer grantable={keys.data.grantable} onClose={close} onCreated={show} />
        )}
        {open?.what === 'rotate' && <RotateDialog apiKey={open.key} onClose={close} onRotated={show} />}
        {open?.what === 'revoke' && <RevokeDialog apiKey={open.key} onClose={close} />}
        {open?.what === 'shown' && <NewKeyDialog made={open.made} onStored={close} />}
      </Suspense>
    </Page>
  );
}

type QuickStartProps = { keys: readonly ApiKeyOutput[]; chosen: string | null; onChoose: (keyId: string) => void };

function QuickStartCard({ keys, chosen, onChoose }: QuickStartProps) {
  const t = useTranslations('panel.keys.quickStart');
  const key = keys.find(({ key_id }) => key_id === chosen) ?? keys[0];
  if (!key) return null;
  return (
    <Section
      title={t('title')}
      aside={
        <NativeSelect
          size="xs"
          aria-label={t('chosen')}
          value={key.key_id}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          data={keys.map((one) => ({ value: one.key_id, label: `${one.name} · ${displayKey(one)}` }))}
          maw="100%"
        />
      }
    >
      <QuickStart permissions={key.permissions} />
      <Group>
        <DocsButton size="xs" />
      </Group>
    </Section>
  );
}
