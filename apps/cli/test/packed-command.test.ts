import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
/** A PATH with the installation of `npm i -g` and the tools of the machine. */
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice packed '));
  const built = join(folder, 'built');
  const prefix = join(folder, 'prefix');
  await run(process.execPath, [join(ROOT, 'scripts/build.ts'), '--out', built]);
  const npm = (...args: string[]) => run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: built });
  await npm('pack', '--pack-destination', folder);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  rmSync(built, { recursive: true });
  await run('npm', ['install', '--global', '--prefix', prefix, '--offline', join(folder, tarball)], { cwd: folder });
  env = { PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder };
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

it('is on the path after an offline installation', async () => {
  // The commit is that of the checkout, if it has git's folder.
  const { stdout } = await run('sluice', ['--version'], { env, cwd: folder });
  expect(stdout.replace(/ \([0-9a-f]{10}\)\n$/, '\n')).toBe(`${manifest.version}\n`);
  const failed = await run('sluice', ['issues', 'list', '--url', 'http://127.0.0.1:2'], { env, cwd: folder }).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sluice: The connection to \S+ was refused[^\n]+\n$/),
  });
});

it('takes the sample issue to a tested branch with only the installed package', async () => {
  const { stdout } = await run('sluice', ['demo', '--yes', '--json'], { env, cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', result: { tests: { verdict: 'green' } } });
});
