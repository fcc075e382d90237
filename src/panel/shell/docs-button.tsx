import { Button } from '@mantine/core';
import { IconBook } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Icon } from './icon.tsx';

type Props = { section?: string; size?: 'xs' | 'sm' };

/** The documentation, in a tab of its own. */
export const DocsButton = ({ section = '', size = 'sm' }: Props) => (
  <Button
    component="a"
    href={`/docs${section}`}
    target="_blank"
    variant="default"
    size={size}
    leftSection={<Icon of={IconBook} size={size === 'xs' ? 14 : 16} />}
  >
    {useTranslations('panel.shell')('docs')}
  </Button>
);
