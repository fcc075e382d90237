import type { TablerIcon } from '@tabler/icons-react';

export type IconShape = TablerIcon;

/** An icon beside a word, or of a button that has a name of its own: never read aloud. */
export const Icon = ({ of: Shape, ...props }: { of: IconShape; size?: number; className?: string | undefined }) => (
  <Shape size={18} stroke={1.8} aria-hidden="true" focusable="false" style={{ flexShrink: 0 }} {...props} />
);
