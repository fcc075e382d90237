import { Alert, type AlertProps } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Icon, type IconShape } from '../shell/icon.tsx';
import classes from './money-form.module.css';

type Props = Pick<AlertProps, 'role' | 'children'> & { tone?: 'caution' | 'bad'; icon?: IconShape };

/** A notice of what keeps a member from moving money, or of what they have to know before. */
export function Notice({ tone = 'caution', icon = IconAlertTriangle, ...props }: Props) {
  return (
    <Alert
      {...props}
      className={classes.notice}
      data-tone={tone}
      color={tone === 'bad' ? 'red' : 'yellow'}
      variant="light"
      icon={<Icon of={icon} />}
    />
  );
}
