import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const DOOR_OF_CORE = /\/core\/src\/[\w-]+\/index\.ts$/m;

// The vocabulary of the whole service takes longer to load than the work of a thread.
it.each(['read-tests', 'touched-tests', 'findings'])('the thread %s loads no door of core', async (name) => {
  const script = new URL(`${name}-thread.ts`, import.meta.url).href;
  const program = `import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
try { await import('${script}'); } catch {} // it has no data
console.log(loaded.join('\\n'));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toContain(script);
  expect(stdout).not.toMatch(DOOR_OF_CORE);
});
