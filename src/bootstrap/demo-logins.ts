import type { DemoLogin } from '#demo/seed-demo.ts';
import type { DemoOperator } from '#demo/seed-demo-operator.ts';

/** What a demonstration's start shows: its merchant's login, and its operator's. */
export type DemoLogins = DemoLogin & { operator: DemoOperator };
