/** How often the line of the running step is redrawn on a terminal. */
const REDRAW_MS = 100;
/** How often a long step shows elsewhere (a log, a container) that it is running. */
const SIGN_OF_LIFE_MS = 20_000;
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Runs one step of work with one line of progress: `Installing packages … 41 s`. */
export async function step(name, out, work) {
  const start = performance.now();
  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`;
  let frame = 0;
  const draw = () => out.write(`\r\x1b[K  ${FRAMES[frame++ % FRAMES.length]} ${name} … ${seconds()}`);
  const print = () => out.write(`  ${name} … ${seconds()}\n`);
  if (!out.isTTY) out.write(`  ${name} …\n`);
  const timer = setInterval(out.isTTY ? draw : print, out.isTTY ? REDRAW_MS : SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (out.isTTY) out.write('\r\x1b[K');
    print();
  }
}
