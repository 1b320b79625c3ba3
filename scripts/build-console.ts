// Builds the console into `apps/web/dist`, unless that was built from the sources as they are: `npm start` does it by itself.
// `--sizes` prints what each page takes of script.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printConsoleSizes, readConsoleSizes } from './build/console-sizes.ts';
import { ensureConsole } from './build/ensure-console.ts';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({ options: { sizes: { type: 'boolean', default: false } } });
try {
  await ensureConsole(root);
  if (values.sizes) console.log(printConsoleSizes(readConsoleSizes(join(root, 'apps/web/dist'))));
} catch (error) {
  console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
