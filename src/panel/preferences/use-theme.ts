import { useMantineColorScheme } from '@mantine/core';
import { api } from '#panel/api.tsx';
import { useSaved } from './use-saved.ts';

export type ThemeChoice = 'auto' | 'light' | 'dark';

/**
 * Changes the theme at once, and in every browser that the member signs in with. `auto` follows the
 * system. `pending` is the theme that is being saved, null for `auto`; undefined: none.
 */
export function useTheme(): { choose(theme: ThemeChoice): void; pending: 'light' | 'dark' | null | undefined } {
  const utils = api.useUtils();
  const { setColorScheme } = useMantineColorScheme();
  const save = api.preferences.setLook.useMutation(useSaved());
  return {
    pending: save.isPending ? save.variables.theme : undefined,
    choose(chosen) {
      const theme = chosen === 'auto' ? null : chosen;
      // The frame follows the member's data: it has to know the new theme before the page shows it.
      utils.session.me.setData(undefined, (me) => me && { ...me, theme });
      setColorScheme(chosen);
      save.mutate({ theme });
    },
  };
}
