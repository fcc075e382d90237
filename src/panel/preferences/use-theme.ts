import { useMantineColorScheme } from '@mantine/core';
import { api } from '#panel/api.tsx';
import { useSaved } from './use-saved.ts';

export type ThemeChoice = 'auto' | 'light' | 'dark';

/** Changes the theme at once, and on every browser they sign in at. `auto` is the system's. */
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
