import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from './icon.tsx';
import type { MenuAction } from './menu-list.tsx';

const MenuList = lazyPart(() => import('./menu-list.tsx'), 'MenuList');

type Props = { label: string; actions: readonly (MenuAction | false)[]; id?: string; variant?: 'subtle' | 'default' };

/** What else can be done, behind three points; pages of others open in a tab of their own. */
export function MoreMenu({ label, actions, id, variant = 'subtle' }: Props) {
  const [isWanted, setWanted] = useState(false);
  const pressed = useRef<HTMLButtonElement>(null);
  const button = (
    <ActionIcon
      ref={pressed}
      id={id}
      size={variant === 'default' ? 30 : 'md'}
      variant={variant}
      color="gray"
      aria-label={label}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      <Icon of={IconDots} size={16} />
    </ActionIcon>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <MenuList target={button} openAt={pressed} actions={actions} />
    </Suspense>
  );
}
