import type { Subject } from '../subject.ts';
import { attackByEnumeration, attackRedirects } from './enumeration.ts';
import { attackByForgery } from './forgery.ts';
import { attackByGuessing } from './guessing.ts';
import { attackByFixation, attackByReuse } from './reuse.ts';
import { PROXY_VARIABLES } from './visitors.ts';

/** Attacks on how members sign in, and on what is done in their name. */
export const signIn: Subject = {
  name: 'sign-in',
  async run(arena) {
    const service = await arena.start({ variables: { DEMO: 'true', ...PROXY_VARIABLES } });
    await attackByForgery(arena, service);
    await attackByFixation(arena, service);
    await attackByEnumeration(arena, service);
    await attackRedirects(arena, service);
    await attackByReuse(arena, service);
    await attackByGuessing(arena, service);
  },
};
