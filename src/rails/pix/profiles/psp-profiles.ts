import type { Psp } from '#domain/providers/providers.ts';
import { bancoDoBrasil } from './banco-do-brasil.ts';
import { bradesco } from './bradesco.ts';
import { efi } from './efi.ts';
import { inter } from './inter.ts';
import { itau } from './itau.ts';
import type { PspDialect, PspProfile } from './psp-profile.ts';
import { santander } from './santander.ts';
import { sicoob } from './sicoob.ts';
import { sicredi } from './sicredi.ts';

export const PSP_PROFILES: Readonly<Record<Psp, PspProfile>> = {
  efi,
  sicredi,
  inter,
  bb: bancoDoBrasil,
  itau,
  bradesco,
  santander,
  sicoob,
};

/** Returns the profile of the PSP whose host the address has; `null` where there is none. */
export function findPspProfile(baseUrl: string): PspProfile | null {
  const { host } = new URL(baseUrl);
  return Object.values(PSP_PROFILES).find(({ hosts }) => Object.hasOwn(hosts, host)) ?? null;
}

/**
 * Returns how to connect to the PSP at this address: the standard's way where there is no profile.
 */
export function dialectOf(baseUrl: string): PspDialect {
  const profile = findPspProfile(baseUrl);
  const tokenUrl = profile?.hosts[new URL(baseUrl).host]?.tokenUrl;
  return { ...profile?.dialect, ...(tokenUrl !== undefined && { tokenUrl }) };
}
