import { Menu } from '@mantine/core';
import { IconBuildingStore, IconCheck } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Icon } from './icon.tsx';
import { usePanel } from './use-panel.ts';

/** Items in the menu of a person with several businesses: each chooses one of them. */
export function MerchantItems() {
  const t = useTranslations('panel.shell');
  const { href } = usePanel();
  const { data } = api.session.merchants.useQuery();
  // A new page, because everything that was read belongs to the other merchant.
  const choose = api.session.chooseMerchant.useMutation({ onSuccess: () => window.location.assign(href('/inicio')) });
  if (!data || data.merchants.length < 2) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('merchants')}</Menu.Label>
      {data.merchants.map(({ id, name, chosen }) => (
        <Menu.Item
          key={id}
          aria-current={chosen || undefined}
          closeMenuOnClick={false}
          disabled={choose.isPending}
          leftSection={<Icon of={chosen ? IconCheck : IconBuildingStore} size={16} />}
          onClick={() => (chosen ? undefined : choose.mutate({ id }))}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
