import pg from 'pg';
import { connectionOf } from './pool.ts';

/**
 * Runs `work` with a connection of its own, and closes it: what is not committed is rolled back.
 */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOf(url));
  // A connection that is cut fails its query and emits an event, which ends the process when it has
  // no listener.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
