import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSluiceClient } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientPage, shownCommands, shownProgram } from '../client-page.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from '../proxied-service.ts';
import { openTerminal, PASSWORD, type Service, type Terminal } from '../terminal.ts';
import { makeValueRepo } from '../value-repo.ts';

// Usual way: apps/cli/test/remote-commands.test.ts

/*
 * Runs the examples of docs/write-a-client.md.
 */

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

let terminal: Terminal;
let proxied: ProxiedService;
let service: Service;
let folder: string;
let project: string;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  ({ service } = proxied);
  await createSluiceClient({ url: service.url }).auth.register.mutate({ email: 'you@example.com', password: PASSWORD });
  folder = await makeValueRepo(join(terminal.home, 'shop'));
  project = join(terminal.home, 'project');
  mkdirSync(join(project, 'node_modules/@sluice'), { recursive: true });
  symlinkSync(join(ROOT, 'packages/client'), join(project, 'node_modules/@sluice/client'));
  symlinkSync(dirname(require.resolve('openapi-fetch/package.json')), join(project, 'node_modules/openapi-fetch'));
  writeFileSync(join(project, 'package.json'), '{ "name": "scratch", "private": true, "type": "module" }');
  for (const name of ['with-client.ts', 'with-document.ts']) writeFileSync(join(project, name), shownProgram(name));
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

const node = async (file: string) => {
  const { stdout } = await run(process.execPath, [file, service.url, folder], { cwd: project, timeout: 120_000 });
  return stdout;
};

it('goes from a login to a branch with the client package', async () => {
  expect(await node('with-client.ts')).toMatch(
    /^Logged in as you@example\.com\n… prepare\n[\s\S]+\ncompleted sluice\/\S+\n$/,
  );
});

it('generates types from the document, with which the program compiles and a wrong one does not', async () => {
  const [, said = ''] = /^npx openapi-typescript (.*)$/m.exec(clientPage) ?? [];
  const args = said.replace('http://127.0.0.1:3000', service.url).split(' ');
  const generator = dirname(require.resolve('openapi-typescript/package.json'));
  await run(process.execPath, [join(generator, 'bin/cli.js'), ...args], { cwd: project });
  const compilerOptions = { types: ['node'], typeRoots: [`${ROOT}node_modules/@types`], lib: ['esnext', 'dom'] };
  const include = ['with-document.ts', 'wrong.ts'];
  const options = { extends: `${ROOT}tsconfig.base.json`, compilerOptions, include };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options));
  const wrong = shownProgram('with-document.ts')
    .replace("status: ['cancelled', 'failed']", "status: ['nonsense']")
    .replace('{ body: credentials })).email', '{ body: credentials })).mail');
  writeFileSync(join(project, 'wrong.ts'), wrong);
  const { stdout } = await run(process.execPath, [TSC, '-p', project]).catch((failed: { stdout: string }) => failed);
  const faults = stdout.split('\n').filter((line) => /^\S/.test(line));
  expect(faults).toEqual([
    expect.stringMatching(/wrong\.ts\(.*'mail' does not exist/),
    expect.stringMatching(/wrong\.ts\(.*"nonsense"/),
  ]);
});

it('does the same with the generated types, where a registered repository is a typed refusal', async () => {
  const said = 'Logged in as you@example.com\nFiled: The value is broken\ncancelled true\n';
  expect(await node('with-document.ts')).toBe(said);
});

it('does the same with curl', async () => {
  const commands = shownCommands('url=').replace('http://127.0.0.1:3000', service.url);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: project, timeout: 120_000 });
  expect(stdout).toMatch(/^running\nhuman_review\nawaiting_approval\nrunning\ncompleted\ndiff --git/);
  expect(stdout).toContain('\n-broken\n+fixed\n');
});

itConformsToOpenApi(() => proxied.proxy);
