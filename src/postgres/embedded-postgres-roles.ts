import pg from 'pg';

/** The role that serves. It owns nothing; grantPrivileges decides what it may do. */
export const SERVICE_ROLE = 'trilho_service';

/** Creates the role that serves, or sets its password and attributes. */
export async function putServiceRole(ownerUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    await client.query(
      `${rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE
        NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD ${client.escapeLiteral(password)}`,
    );
  } finally {
    await client.end();
  }
}
