import { createContext } from 'react';
import type { Me } from '#contract/members/session.ts';

export type Mode = 'live' | 'test';

export const PanelContext = createContext<{ mode: Mode; me: Me; origin: string } | null>(null);
