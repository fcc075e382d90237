'use client';

import { Button, CloseButton, Stack } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useQueryStates } from 'nuqs';
import { api } from '#panel/api.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { CustomerList } from './customer-list.tsx';
import { CUSTOMERS_ADDRESS, customersInput } from './customer-search.ts';

/** Clientes: who pays the account, the one with the newest transaction first. */
export function CustomersPage() {
  const t = useTranslations('panel.customers');
  const { href, may } = usePanel();
  const [search, setSearch] = useQueryStates(CUSTOMERS_ADDRESS);
  const query = api.customers.list.useInfiniteQuery(customersInput(search), PAGED);
  const find = (busca: string) => setSearch({ busca: busca || null });
  const action = may('charges.create') && (
    <LinkButton href={href('/cobrar')} size="sm" label={t('empty.action')} primary />
  );
  return (
    <Page title={t('title')} description={t('description')}>
      <Stack gap="md">
        <SearchField
          text={search.busca}
          onChange={find}
          aria-label={t('search')}
          placeholder={t('searchPlaceholder')}
          maxLength={200}
          maw={420}
          leftSection={<Icon of={IconSearch} size={14} />}
          clear={(onClear) => <CloseButton size="xs" aria-label={t('clear')} onClick={onClear} />}
        />
        <PagedList
          query={query}
          rowsOf={({ customers }) => customers}
          skeleton={<WaitingRows count={8} />}
          empty={
            search.busca ? (
              <EmptyState
                title={t('none.title')}
                text={t('none.text')}
                action={
                  <Button variant="default" size="sm" onClick={() => find('')}>
                    {t('clear')}
                  </Button>
                }
              />
            ) : (
              <EmptyState title={t('empty.title')} text={t('empty.text')} action={action} />
            )
          }
          more={({ length }) => t(length > 0 ? 'more' : 'searchOn')}
          foot={({ length: count }) => (
            <Muted fz={13}>
              {query.data?.pages.at(-1)?.has_more ? t('shownOfMore', { count }) : t('shown', { count })}
            </Muted>
          )}
        >
          {(customers) => customers.length > 0 && <CustomerList customers={customers} />}
        </PagedList>
      </Stack>
    </Page>
  );
}
