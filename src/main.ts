import { banner } from '#bootstrap/banner.ts';
import { startService } from '#bootstrap/service.ts';
import { createClosing, stopOnSignals } from '#bootstrap/shutdown.ts';
import { RoleError } from '#bootstrap/supervise-roles.ts';
import { EnvironmentError, processEnvironment } from '#config/environment.ts';
import { StartError } from '#domain/errors/start-error.ts';

/**
 * The program: reads the environment, starts the roles, stops them gracefully. `--dev`: pages are
 * compiled as they change.
 */
const closing = createClosing();
stopOnSignals(closing);
try {
  const env = processEnvironment();
  const service = await startService(env, closing, {
    pages: process.argv.includes('--dev') ? 'dev' : 'built',
    history: true,
    ownProcesses: true,
    onGone: (error) => {
      console.error(`trilho: ${error.message}`);
      void closing.now().then(() => process.exit(1));
    },
    onProgress: (message) => console.log(`  ${message}`),
  });
  console.log(banner({ ...service, role: env.role }));
} catch (error) {
  await closing.now();
  const isExplained = [EnvironmentError, StartError, RoleError].some((kind) => error instanceof kind);
  console.error(isExplained ? `trilho: ${(error as Error).message}` : error);
  process.exit(1);
}
