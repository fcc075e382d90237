import { endWithReader } from './end-with-reader.ts';
import { explainError } from './explain-error.ts';
import { createProgram } from './program.ts';

endWithReader();
try {
  await createProgram().parseAsync();
} catch (error) {
  console.error(explainError(error));
  process.exitCode = 1;
}
