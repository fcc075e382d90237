import type { DemoLogin } from '#demo/seed-demo.ts';
import type { DemoOperator } from '#demo/seed-demo-operator.ts';

/** The logins that the start of a demo shows: its merchant's and its operator's. */
export type DemoLogins = DemoLogin & { operator: DemoOperator };
