import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxResult } from '@sluice/core/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrdinaryService, ordinaryService } from '../../test/ordinary-service.ts';
import { scratchTree } from '../../test/scratch-tree.ts';
import { environmentFiles } from '../mounts/environment-files.ts';
import { type BwrapSandboxOptions, createBwrapSandbox } from './bwrap-sandbox.ts';

const asRoot = process.getuid?.() === 0;
let service: OrdinaryService;
let base: string;
const made: string[] = [];

beforeAll(async () => {
  service = await ordinaryService();
  base = await folder('/tmp/sluice-hidden-');
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  for (const path of made) await rm(path, { recursive: true, force: true });
});

async function folder(prefix: string): Promise<string> {
  const path = await realpath(await mkdtemp(prefix));
  made.push(path);
  await chmod(path, 0o755);
  return path;
}

/** A private file whose mode lets every user read it. */
async function secret(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'KEY=canary\n', { mode: 0o644 });
  if (asRoot) await chown(path, service.uid, service.uid);
  return path;
}

async function program(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '#!/bin/sh\necho "ran $0"\n', { mode: 0o755 });
  return dirname(path);
}

/** Runs commands in the sandbox of a service that is root, if the tests are, and of one that is not. */
const services: [
  who: string,
  run: (command: string, options: Partial<BwrapSandboxOptions>) => Promise<SandboxResult>,
][] = [
  [
    'an ordinary user',
    async (command, options) => {
      const { probe, ran } = await service.run([command], options);
      expect(probe).toMatchObject({ usable: true, problem: null });
      return ran[0] ?? expect.unreachable();
    },
  ],
];
if (asRoot) {
  services.push([
    'root',
    async (command, options) => {
      await using scratch = await scratchTree();
      const root = await scratch.tree('tree');
      const common = { readPaths: [], path: '', hideRoots: [scratch.data], scratchRoot: scratch.data };
      return await createBwrapSandbox({ ...common, ...options }).run(scratch.command(root, command));
    },
  ]);
} else {
  console.warn(
    'Files that a service of root hides, and those in /usr: not run on this machine, where the tests are not root.',
  );
}

test.each(services)('hides the folder of a service that is %s, except for toolchains in it', async (_who, run) => {
  const app = join(base, 'opt-app');
  const bin = await program(join(app, 'bin/deno'));
  const files = [await secret(join(app, '.env')), await secret(join(app, 'config/keys.json'))];
  const system = asRoot ? await folder('/usr/local/sluice-test-') : app;
  files.push(await secret(join(system, 'settings')));
  const { output, exitCode } = await run(`cat ${files.join(' ')}; ls -A ${system}; touch ${system}/x; deno`, {
    path: `${bin}:${process.env.PATH}`,
    serviceFolders: [app, system],
  });
  expect(exitCode).toBe(0);
  expect(output).toContain(`ran ${bin}/deno`);
  expect(output).not.toMatch(/canary|^settings|^x$/m);
});

test.each(services)(
  'lets no command of a service that is %s read a .env file in a visible folder',
  async (_who, run) => {
    const tools = join(base, 'tools');
    const bin = await program(join(tools, 'bin/deno'));
    const names = ['.env', '.env.production', '.envrc', 'share/site/deep/.env.local'];
    const files = await Promise.all(names.map((name) => secret(join(tools, name))));
    files.push(await secret(join(tools, 'site.conf')));
    await symlink('../../site.conf', join(tools, 'share/site/.env')).catch(() => undefined);
    if (asRoot) files.push(await secret(join(await folder('/usr/local/sluice-test-'), 'try/.env')));
    await writeFile(join(tools, 'readable'), 'tools are readable\n');
    const { output, exitCode } = await run(
      `cat ${files.join(' ')} ${tools}/share/site/.env; cat ${tools}/readable; deno`,
      {
        path: `${bin}:${process.env.PATH}`,
      },
    );
    expect(exitCode).toBe(0);
    expect(output).toContain('tools are readable');
    expect(output).toContain(`ran ${bin}/deno`);
    expect(output).not.toContain('canary');
  },
);

test.each(services)('runs commands of a service that is %s installed in a folder that they need', async (_who, run) => {
  const serviceFolders = ['/', '/usr', '/usr/bin', '/usr/local', '/home', '/tmp'];
  const result = await run('git --version', { path: '/usr/local/bin:/usr/bin:/bin', serviceFolders });
  expect(result).toMatchObject({ exitCode: 0, output: expect.stringContaining('git version') });
});

test.runIf(asRoot)('mounts the git directory of a tree inside a covered folder of the service', async () => {
  await using scratch = await scratchTree();
  const root = await scratch.tree('tree');
  const app = await folder('/usr/local/sluice-test-');
  const data = join(app, 'data');
  const gitDir = join(data, 'caches/one.git');
  await mkdir(gitDir, { recursive: true });
  await chmod(data, 0o700);
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
  await secret(join(data, 'sluice.db'));
  const options = {
    readPaths: [],
    path: '/usr/bin',
    hideRoots: [data],
    scratchRoot: scratch.data,
    serviceFolders: [app],
  };
  const command = scratch.command(root, `cat ${gitDir}/HEAD; ls ${data}; touch ${data}/x; true`, { gitDir });
  const { output } = await createBwrapSandbox(options).run(command);
  expect(output).toMatch(/^ref: refs\/heads\/main\ncaches\n/m);
  expect(output).not.toMatch(/sluice\.db|^x$/m);
});

test('keeps running commands after a covered file is removed', async () => {
  await using scratch = await scratchTree();
  const root = await scratch.tree('tree');
  const tools = join(base, 'changing');
  const bin = await program(join(tools, 'bin/deno'));
  const app = join(tools, 'app');
  const file = await secret(join(tools, '.env'));
  await mkdir(app);
  const options = { readPaths: [], path: `${bin}:${process.env.PATH}`, hideRoots: [], scratchRoot: scratch.data };
  const sandbox = createBwrapSandbox({ ...options, serviceFolders: [app] });
  const run = () => sandbox.run(scratch.command(root, `[ -e ${file} ] && echo covered; deno`));
  expect(await run()).toMatchObject({ exitCode: 0, output: expect.stringContaining('covered') });
  for (const path of [app, file]) await rm(path, { recursive: true });
  expect(await run()).toMatchObject({ exitCode: 0, output: expect.not.stringContaining('covered') });
});

test('finds .env files up to five folders below a visible one, and none in covered folders', async () => {
  const shown = await folder('/tmp/sluice-shown-');
  const files = [await secret(join(shown, '.env')), await secret(join(shown, '1/2/3/4/5/.env'))];
  await secret(join(shown, '1/2/3/4/5/6/.env'));
  await secret(join(shown, 'own/.env'));
  await symlink('own/.env', join(shown, '.env.link'));
  await symlink('.', join(shown, 'loop'));
  await mkdir(join(shown, '.envs'));
  expect(await environmentFiles([shown], [join(shown, 'own')])).toEqual({ files, complete: true });
});
