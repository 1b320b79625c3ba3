import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Prints each module that a program loads from now on, as a line of the error output. */
const TRACE = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write('loaded ' + url + '\\n'); return next(url, context); } });
`)}`;

it.each([
  ['main.ts', ['--help'], 'make-tasks '],
  ['main.ts', ['run', '--help'], '--cut-off'],
  ['economy.ts', ['--help'], '--context-tokens'],
])('prints the usage of %s %j without loading the service, the sandbox and the models', (program, args, shown) => {
  const file = fileURLToPath(new URL(`../src/${program}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', TRACE, file, ...args], {
    encoding: 'utf8',
  });
  const loaded = [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url = '']) => url);
  expect([status, stdout]).toEqual([0, expect.stringContaining(shown)]);
  expect(loaded.some((url) => url.endsWith(`/src/${program}`))).toBe(true);
  expect(loaded.filter((url) => /node_modules|\/(?:packages|apps)\//.test(url))).toEqual([]);
});
