import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Icon } from '../shell/icon.tsx';
import classes from './amount-input.module.css';

/** Says below a field how the typed text was understood; nothing while it was not. */
export const Recognised = ({ children }: { children: ReactNode }) => (
  <div aria-live="polite">
    {children && (
      <p className={classes.recognised}>
        <Icon of={IconCheck} size={16} />
        {children}
      </p>
    )}
  </div>
);
