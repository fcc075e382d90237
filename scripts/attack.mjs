import { findChromium } from './find-chromium.mjs';
import { runTool } from './run-tool.mjs';

await runTool('attack', async () => ({ CHROMIUM_PATH: await findChromium(console.error) }));
