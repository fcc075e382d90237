import { PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { ask } from '../answers.ts';
import type { Matrix } from './matrix.ts';
import { restOperations } from './operations.ts';

/**
 * A key gets the answer that is stored for an Idempotency-Key only with the permission that the
 * request itself needs.
 */
export async function attackReplays({ arena, service, attacker }: Matrix): Promise<void> {
  const tally = arena.attack('REST replays with a key that lacks the permission');
  const all = await attacker.newKey('test');
  for (const operation of restOperations()) {
    const { who } = operation.rule;
    if (operation.method !== 'POST' || who === 'key') continue;
    const others = PERMISSIONS.filter((permission) => permission !== who);
    const less = await attacker.newKey('test', { permissions: others });
    const { path, body } = operation.request(attacker.owned.test);
    const send = (key: string) =>
      ask(service.url + path, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'idempotency-key': `repetida-${operation.name}`,
        },
        body: body ?? '{}',
      });
    const first = await send(all);
    if (first.status === 401 || first.status === 403) tally(`POST ${path}`, `${first.status}: nothing was kept`);
    const replayed = await send(less);
    tally(
      `POST ${path} without ${who}`,
      replayed.status === 403 ? null : `${replayed.status}: ${replayed.text.slice(0, 120)}`,
    );
    const again = await send(all);
    tally(
      `POST ${path} with it`,
      again.status === first.status ? null : `${again.status} instead of ${first.status}: nothing was proved`,
    );
  }
}
