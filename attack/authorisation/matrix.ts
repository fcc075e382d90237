import type { TestService } from '../../src/testing/test-service.ts';
import type { Arena } from '../subject.ts';
import type { Mode, Tenant } from '../tenants.ts';

/** What a client without a valid session sends. */
export type Visitor = { name: string; cookie: string; headers: Record<string, string> };

/** What the matrix is made of. */
export type Matrix = {
  arena: Arena;
  service: TestService;
  victim: Tenant;
  attacker: Tenant;
  /** The victim's own keys, made before anything is attacked. */
  victimKeys: Record<Mode, string>;
  visitors: readonly Visitor[];
};
