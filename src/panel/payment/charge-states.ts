import type { ReactNode } from 'react';
import { AlertIcon, CheckIcon, ClockIcon, CrossIcon, OfflineIcon, SearchIcon, WaitingIcon } from './icons.tsx';
import type { Knowledge } from './polling.ts';

type Tone = 'waiting' | 'good' | 'caution' | 'bad' | 'neutral';
type IconComponent = (props: { size?: number; className?: string | undefined }) => ReactNode;

/** How each state looks; its words are `pay.states.*`. */
export const chargeStates: Record<Exclude<Knowledge, 'loading'>, { tone: Tone; icon: IconComponent }> = {
  pending: { tone: 'waiting', icon: WaitingIcon },
  paid: { tone: 'good', icon: CheckIcon },
  expired: { tone: 'neutral', icon: ClockIcon },
  cancelled: { tone: 'neutral', icon: CrossIcon },
  failed: { tone: 'bad', icon: CrossIcon },
  review: { tone: 'caution', icon: AlertIcon },
  unknown: { tone: 'neutral', icon: SearchIcon },
  unreachable: { tone: 'caution', icon: OfflineIcon },
};
