import { StartError } from '#db/start-error.ts';
import { banner } from './banner.ts';
import { EnvironmentError, processEnvironment } from './environment.ts';
import { startService } from './service.ts';
import { createClosing, stopOnSignals } from './shutdown.ts';

/** The program: reads the environment, starts the roles, stops them gracefully. `--dev`: pages are compiled as they change. */
const closing = createClosing();
stopOnSignals(closing);
try {
  const env = processEnvironment();
  const service = await startService(env, closing, {
    pages: process.argv.includes('--dev') ? 'dev' : 'built',
    history: true,
    onGone: (error) => {
      console.error(`trilho: ${error.message}`);
      void closing.now().then(() => process.exit(1));
    },
    onProgress: (message) => console.log(`  ${message}`),
  });
  console.log(banner({ ...service, role: env.role }));
} catch (error) {
  await closing.now();
  const told = error instanceof EnvironmentError || error instanceof StartError;
  console.error(told ? `trilho: ${(error as Error).message}` : error);
  process.exit(1);
}
