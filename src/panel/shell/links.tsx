import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from '#panel/link.tsx';
import { Icon, type IconShape } from './icon.tsx';

type LinkProps = { href: string; label: ReactNode };

/** A link to another page, as a word. */
export const TextLink = ({ href, label, ...props }: AnchorProps & LinkProps) => (
  <Anchor component={Link} href={href} fz="sm" {...props}>
    {label}
  </Anchor>
);

/** A link to another page, as a button. `primary`: the main action of the page. */
export function LinkButton(props: ButtonProps & LinkProps & { icon?: IconShape; primary?: boolean }) {
  const { href, label, icon, primary = false, ...button } = props;
  const variant = primary ? 'filled' : 'default';
  return (
    <Button
      component={Link}
      href={href}
      variant={variant}
      leftSection={icon && <Icon of={icon} size={16} />}
      {...button}
    >
      {label}
    </Button>
  );
}
