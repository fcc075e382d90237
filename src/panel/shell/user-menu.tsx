import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconKeyboard, IconLock, IconLogout } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { Me } from '#contract/members/session.ts';
import { Link } from '#panel/link.tsx';
import { Icon } from './icon.tsx';
import { Muted } from './muted.tsx';
import classes from './shell.module.css';
import { signOut } from './sign-out.ts';

/**
 * What belongs to the person who has signed in. It comes when it is asked for, and so opens by
 * itself.
 */
export function UserMenu({ me, mode, onHelp }: { me: Me; mode: 'live' | 'test'; onHelp: () => void }) {
  const t = useTranslations('panel.shell');
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    // The button that was pressed is gone; the menu gives the focus back to this one.
    target.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu position="bottom-end" width={240} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <UnstyledButton ref={target} aria-label={t('user')} className={classes.user}>
          <Avatar
            size={32}
            radius="xl"
            name={me.name}
            aria-hidden="true"
            classNames={{ placeholder: classes.initials }}
          />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <Text fz="sm" fw={600}>
            {me.name}
          </Text>
          <Muted fz="xs">{me.email}</Muted>
          {/* Cut in the bar where there is no room for it. */}
          <Muted fz="xs" mt={4}>
            {me.merchant_name}
          </Muted>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href={`/${mode}/seguranca`} leftSection={<Icon of={IconLock} size={16} />}>
          {t('security')}
        </Menu.Item>
        <Menu.Item
          component={Link}
          href={`/${mode}/preferencias`}
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
      </Menu.Dropdown>
    </Menu>
  );
}
