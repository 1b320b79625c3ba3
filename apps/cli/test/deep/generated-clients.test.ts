import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSluiceClient } from '@sluice/client';
import { isSoakRun } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openapiDocument } from '../contract-proxy.ts';
import { openTerminal, PASSWORD, type Service, startService, type Terminal } from '../terminal.ts';
import { makeValueRepo } from '../value-repo.ts';

// Usual way: apps/cli/test/api-command.test.ts

/*
 * Clients that generators from the registry make of docs/openapi.json, each with a program that takes an issue with a diff
 * to its branch and knows the data of every event by its type. One of them in `npm run test:deep`, all in `npm run soak`.
 */

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const document = fileURLToPath(openapiDocument);

const inside = (manifest: string, program: string) => join(dirname(manifest), program);
const generators: Readonly<Record<string, readonly string[]>> = {
  'with-hey-api': [
    inside(require.resolve('@hey-api/openapi-ts/package.json'), 'bin/run.js'),
    '-f',
    'hey-api.config.js',
  ],
  'with-openapi-fetch': [
    inside(require.resolve('openapi-typescript/package.json'), 'bin/cli.js'),
    document,
    '-o',
    'openapi-typescript.d.ts',
  ],
  'with-swagger-typescript-api': [
    inside(require.resolve('swagger-typescript-api/package.json'), 'dist/cli.mjs'),
    ...['generate', '-p', document, '-o', 'swagger-typescript-api', '-n', 'api.ts'],
  ],
};
const tried = isSoakRun ? Object.keys(generators) : ['with-hey-api'];

let terminal: Terminal;
let service: Service;
let project: string;

beforeAll(async () => {
  terminal = await openTerminal();
  service = await startService(terminal, { LIMIT_CREATE_REPO: '0' }); // three programs register two each
  await createSluiceClient({ url: service.url }).auth.register.mutate({ email: 'you@example.com', password: PASSWORD });
  project = join(terminal.home, 'project');
  const programs = fileURLToPath(new URL('../generated-clients', import.meta.url));
  mkdirSync(project);
  // Text here: what they import does not exist before it is generated.
  for (const file of readdirSync(programs)) copyFileSync(join(programs, file), join(project, file.replace('.txt', '')));
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(dirname(require.resolve('openapi-fetch/package.json')), join(project, 'node_modules/openapi-fetch'));
  writeFileSync(join(project, 'package.json'), '{ "name": "scratch", "private": true, "type": "module" }');
  const config = { input: document, output: { path: 'hey-api', importFileExtension: '.ts' } };
  writeFileSync(join(project, 'hey-api.config.js'), `export default ${JSON.stringify(config)};`);
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

it.each(tried)('%s compiles in strict mode and takes an issue to its branch', async (name) => {
  await run(process.execPath, [...(generators[name] ?? [])], { cwd: project });
  const generated = join(project, 'swagger-typescript-api/api.ts');
  if (name.includes('swagger')) {
    // It tells the compiler to look away.
    writeFileSync(generated, readFileSync(generated, 'utf8').replace('// @ts-nocheck', ''));
  }
  const compilerOptions = {
    ...{ strict: true, target: 'esnext', module: 'nodenext', outDir: 'built', rootDir: '.' },
    ...{ rewriteRelativeImportExtensions: true, skipLibCheck: true },
    ...{ types: ['node'], typeRoots: [`${ROOT}node_modules/@types`], lib: ['esnext', 'dom', 'dom.iterable'] },
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const compiled = await run(process.execPath, [TSC, '-p', project]).catch((failed: { stdout: string }) => failed);
  expect(compiled.stdout).toBe('');
  const shop = await makeValueRepo(join(terminal.home, name));
  const { stdout } = await run(process.execPath, [`built/${name}.js`, service.url, shop], { cwd: project });
  expect(stdout).toMatch(
    /^models builtin\nrefused repo_unreachable\nplan value\.txt\nfiles 1\ncompleted sluice\/\S+\n$/,
  );
});
