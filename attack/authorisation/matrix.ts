import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena } from '../subject.ts';
import type { Mode, Tenant } from '../tenants.ts';

/** A client without a valid session, and what it sends. */
export type Visitor = { name: string; cookie: string; headers: Record<string, string> };

/** What the attacks on authorisation share. */
export type Matrix = {
  arena: Arena;
  service: TestService;
  victim: Tenant;
  attacker: Tenant;
  /** The victim's own keys, made before anything is attacked. */
  victimKeys: Record<Mode, string>;
  visitors: readonly Visitor[];
};
