import { Button } from '@mantine/core';
import { IconBook } from '@tabler/icons-react';
import { Icon } from './icon.tsx';

/** The documentation, in a tab of its own. */
export const DocsButton = ({ label, section = '' }: { label: string; section?: string }) => (
  <Button
    component="a"
    href={`/docs${section}`}
    target="_blank"
    variant="default"
    leftSection={<Icon of={IconBook} size={16} />}
  >
    {label}
  </Button>
);
