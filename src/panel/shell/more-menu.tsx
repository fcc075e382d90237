import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from './icon.tsx';
import { LazyMenu } from './lazy-menu.tsx';
import type { MenuAction } from './menu-list.tsx';

const MenuList = lazyPart(() => import('./menu-list.tsx'), 'MenuList');

type Props = { label: string; actions: readonly (MenuAction | false)[]; variant?: 'subtle' | 'default' };

/** A menu of further actions, behind three dots. */
export const MoreMenu = ({ label, actions, variant = 'subtle' }: Props) => (
  <LazyMenu
    menu={(place) => <MenuList {...place} actions={actions} />}
    button={(props) => (
      <ActionIcon {...props} size={variant === 'default' ? 30 : 'md'} variant={variant} color="gray" aria-label={label}>
        <Icon of={IconDots} size={16} />
      </ActionIcon>
    )}
  />
);
