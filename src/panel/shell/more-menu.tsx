import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Icon, type IconShape } from './icons.tsx';

export type MenuAction = {
  label: string;
  icon: IconShape;
  /** What can't be undone. */
  isDanger?: boolean;
} & ({ onClick: () => void } | { href: string });

type Props = { label: string; actions: readonly (MenuAction | false)[]; id?: string; variant?: 'subtle' | 'default' };

/** What else can be done, behind three points; pages of others open in a tab of their own. */
export const MoreMenu = ({ label, actions, id, variant = 'subtle' }: Props) => (
  <Menu position="bottom-end" width={240} withinPortal>
    <Menu.Target>
      <ActionIcon id={id} size={variant === 'default' ? 30 : 'md'} variant={variant} color="gray" aria-label={label}>
        <Icon of={IconDots} size={variant === 'default' ? 16 : 18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {actions.map((action) => {
        if (!action) return null;
        const { label: text, icon, isDanger = false, ...does } = action;
        const props = { leftSection: <Icon of={icon} size={16} />, ...(isDanger && { c: 'var(--tone-bad)' }) };
        return 'href' in does ? (
          <Menu.Item key={text} component="a" href={does.href} target="_blank" rel="noopener noreferrer" {...props}>
            {text}
          </Menu.Item>
        ) : (
          <Menu.Item key={text} onClick={does.onClick} {...props}>
            {text}
          </Menu.Item>
        );
      })}
    </Menu.Dropdown>
  </Menu>
);
