import { Box, Menu, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconKeyboard, IconLock, IconLogout } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Link } from '#panel/link.tsx';
import { Icon } from './icon.tsx';
import { MerchantItems } from './merchant-items.tsx';
import { Muted } from './muted.tsx';
import { type MenuPlace, OpenedMenu } from './opened-menu.tsx';
import { signOut } from './sign-out.ts';
import { usePanel } from './use-panel.ts';

/** The menu of the person who has signed in. */
export function UserMenu({ onHelp, ...place }: MenuPlace & { onHelp: () => void }) {
  const t = useTranslations('panel.shell');
  const { me, href } = usePanel();
  return (
    <OpenedMenu width={240} {...place}>
      <Box p="6px 12px" style={{ overflowWrap: 'anywhere' }}>
        <Text fz="sm" fw={600}>
          {me.name}
        </Text>
        <Muted fz="xs">{me.email}</Muted>
        {/* The bar cuts the name where it has no room for it. */}
        <Muted fz="xs" mt={4}>
          {me.merchant_name}
        </Muted>
      </Box>
      <MerchantItems />
      <Menu.Divider />
      <Menu.Item component={Link} href={href('/seguranca')} leftSection={<Icon of={IconLock} size={16} />}>
        {t('security')}
      </Menu.Item>
      <Menu.Item
        component={Link}
        href={href('/preferencias')}
        leftSection={<Icon of={IconAdjustmentsHorizontal} size={16} />}
      >
        {t('preferences')}
      </Menu.Item>
      <Menu.Item onClick={onHelp} leftSection={<Icon of={IconKeyboard} size={16} />}>
        {t('shortcuts')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => signOut()} leftSection={<Icon of={IconLogout} size={16} />}>
        {t('signOut')}
      </Menu.Item>
    </OpenedMenu>
  );
}
