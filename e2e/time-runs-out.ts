import pg from 'pg';
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';

/** Moves a charge's end and its next check into the past, in the database of the running service: a test can't wait a day. */
const [id] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ home: process.env.TRILHO_HOME ?? '', purpose: 'command' });
const client = new pg.Client({ connectionString: server.url });
await client.connect();
await client.query(`UPDATE transactions SET expires_at = created_at - interval '1 minute' WHERE id = $1`, [id]);
await client.query(`UPDATE tasks SET due_at = now() WHERE subject_id = $1 AND kind = 'watch_charge'`, [id]);
await client.end();
await server.stop();
