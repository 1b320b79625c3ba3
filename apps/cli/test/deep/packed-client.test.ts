import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../../src/local/sample-repo.ts';
import { shownProgram } from '../client-page.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from '../proxied-service.ts';
import { openTerminal, PASSWORD, type Service, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/packed-command.test.ts, apps/cli/test/remote-commands.test.ts

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
let terminal: Terminal;
let proxied: ProxiedService;
let service: Service;
let project: string;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  ({ service } = proxied);
  const built = join(terminal.home, 'built');
  await run(process.execPath, [join(ROOT, 'scripts/build-client.ts'), '--out', built]);
  const npm = (args: string[], cwd: string) => run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd });
  await npm(['pack', '--pack-destination', terminal.home], built);
  const [tarball = ''] = readdirSync(terminal.home).filter((name) => name.endsWith('.tgz'));
  project = join(terminal.home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "scratch", "private": true, "type": "module" }');
  await npm(['install', join(terminal.home, tarball)], project);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

it('is installed without dependencies, and loads nothing of Node in a browser', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@sluice']);
  const installed = join(project, 'node_modules/@sluice/client');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest.peerDependenciesMeta).toEqual({ '@trpc/server': { optional: true } });
  expect(readFileSync(join(installed, 'index.js'), 'utf8')).not.toMatch(/from ["']node:|require\(/);
  const declarations = readdirSync(installed).filter((name) => name.endsWith('.d.ts'));
  // The types for tRPC's own tools are an entry of their own, so that other programs need no tRPC.
  for (const name of declarations.filter((one) => one !== 'app-router.d.ts')) {
    expect(readFileSync(join(installed, name), 'utf8'), name).not.toMatch(/@trpc|@sluice|from ['"](?!\.\/)/);
  }
  expect(readFileSync(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('@trpc/client');
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).not.toMatch(/\]\(\.|In this repository/);
});

it('takes an issue to its end in plain JavaScript, and stores the session for the next program', async () => {
  const repo = await makeSampleRepo(project);
  writeFileSync(
    join(project, 'work.js'),
    `import { createSluiceClient, decideIssue, isSluiceError, watchIssue } from '@sluice/client';
     import { fileCookies } from '@sluice/client/file-cookies';
     const client = createSluiceClient({ url: process.argv[2], cookies: fileCookies('session.json') });
     const refused = await client.auth.me.query().catch((error) => error);
     console.log(isSluiceError(refused, 'session_missing'));
     await client.auth.register.mutate({ email: 'ada@example.com', password: ${JSON.stringify(PASSWORD)} });
     const { id: repo_id } = await client.repos.create.mutate({ url: ${JSON.stringify(repo)} });
     const { id } = await client.issues.create.mutate({ repo_id, ...${JSON.stringify(sampleIssue)} });
     for await (const event of watchIssue(client, id)) {
       if (event.type === 'issue.status' && event.data.to === 'awaiting_approval') {
         await decideIssue(client, await client.issues.get.query({ id }), { action: 'approve' });
       }
     }
     console.log((await client.issues.get.query({ id })).status);`,
  );
  writeFileSync(
    join(project, 'who.js'),
    `import { createSluiceClient } from '@sluice/client';
     import { fileCookies } from '@sluice/client/file-cookies';
     const client = createSluiceClient({ url: process.argv[2], cookies: fileCookies('session.json') });
     console.log((await client.auth.me.query()).email);`,
  );
  const node = async (file: string) => (await run(process.execPath, [file, service.url], { cwd: project })).stdout;
  expect(await node('work.js')).toBe('true\ncompleted\n');
  expect(await node('who.js')).toBe('ada@example.com\n');
});

it('type-checks with the strictest compiler options, without other packages', () => {
  const compilerOptions = {
    target: 'es2024',
    lib: ['esnext', 'dom'],
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['typed.ts'] }));
  writeFileSync(
    join(project, 'typed.ts'),
    `import { createSluiceClient, decideIssue, isSluiceError, type Issue, type IssueEvent, type IssueSummary, type Plan, type Repo, watchAllIssues, watchIssue } from '@sluice/client';
     import { fileCookies } from '@sluice/client/file-cookies';
     export async function typed(signal: AbortSignal): Promise<string[]> {
       const client = createSluiceClient({ url: 'http://127.0.0.1:3000', cookies: fileCookies('x') });
       const page: { items: Issue[]; next_cursor: string | null } = await client.issues.list.query();
       await client.issues.list.query({ status: ['failed'], limit: 5 }, { signal, timeoutMs: 1_000 });
       const thin: { items: IssueSummary[] } = await client.issues.list.query({ fields: 'summary', limit: 5 });
       // @ts-expect-error a summary has no body
       thin.items[0]?.body;
       const repo: Repo = await client.repos.create.mutate({ url: 'https://example.com/a' });
       // @ts-expect-error there is no such status
       await client.issues.list.query({ status: ['nonsense'] });
       // @ts-expect-error there is no such procedure
       await client.issues.nonsense.query();
       // @ts-expect-error a mutation is not a query
       await client.issues.cancel.query({ id: repo.id });
       // @ts-expect-error it needs an id
       await client.issues.get.query({});
       // @ts-expect-error the revision of the plan is missing
       await client.issues.approve.mutate({ id: repo.id, action: 'approve' });
       await client.issues.approve.mutate({ id: repo.id, action: 'approve', revision: 1 });
       await client.issues.create.mutate({ repo_id: repo.id, title: 'T', body: '' }, { idempotencyKey: 'one' });
       // @ts-expect-error reads have no idempotency key
       await client.issues.list.query({}, { idempotencyKey: 'one' });
       // @ts-expect-error a limit is a number
       await client.issues.list.query({ limit: '5' });
       // @ts-expect-error an issue without the gate that was reviewed
       await decideIssue(client, { id: repo.id }, { action: 'approve' });
       let last: IssueEvent | undefined;
       for await (const event of watchIssue(client, repo.id, { signal, after: 3 })) {
         if (event.type === 'stage.failed') return [event.data.detail];
         if ('seq' in event) last = event;
         // @ts-expect-error live text has no sequence number
         if (event.type === 'agent.delta') event.seq;
       }
       for await (const { event, after } of watchAllIssues(client, { signal, after: '0' })) {
         // @ts-expect-error the opening event belongs to no issue
         if (event.type === 'stream.opened') event.issue_id;
         else if (event.type === 'stage.failed') return [event.issue_id, event.data.detail, after];
       }
       try {
         await client.issues.run.mutate({ id: repo.id });
       } catch (error) {
         // @ts-expect-error a misspelt code
         if (isSluiceError(error, 'repo_bussy')) return [];
         if (isSluiceError(error, 'repo_busy')) return [error.detail, String(error.retryAfterMs)];
       }
       const plan: Plan | null = last?.type === 'plan.created' ? last.data.plan : null;
       if (plan !== null) return plan.steps.map(({ title }) => title);
       return page.items.flatMap(({ result }) => result?.tests?.new_failures ?? []);
     }`,
  );
  expect(execFileSync(process.execPath, [TSC, '-p', project], { encoding: 'utf8' })).toBe('');
});

it('says in the error of a decision without a revision which one is meant', () => {
  const folder = join(project, 'blind');
  mkdirSync(folder);
  const compilerOptions = { strict: true, module: 'nodenext', target: 'esnext', types: [], noEmit: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  writeFileSync(
    join(folder, 'blind.ts'),
    `import type { SluiceClient } from '@sluice/client';
     export const approve = (client: SluiceClient, id: string) => client.issues.approve.mutate({ id, action: 'approve' });`,
  );
  const { stdout } = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toMatch(/Property 'revision' is missing in type .* but required in type 'RevisionThatWasSeen'/);
});

it('type-checks in the program of docs/write-a-client.md', () => {
  const folder = join(project, 'page');
  mkdirSync(folder);
  const compilerOptions = { types: ['node'], typeRoots: [`${ROOT}node_modules/@types`] };
  const options = { extends: `${ROOT}tsconfig.base.json`, compilerOptions, include: ['.'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  writeFileSync(join(folder, 'with-client.ts'), shownProgram('with-client.ts'));
  expect(execFileSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' })).toBe('');
});

it('declares every procedure of the router with the same input and output', async () => {
  const parity = join(project, 'parity');
  mkdirSync(parity);
  writeFileSync(
    join(parity, 'parity.ts'),
    `import type { Mutation, Query, Subscription } from '${ROOT}packages/client/src/call.ts';
     import type { ServerCalls as Router } from '${ROOT}packages/client/src/server-calls.ts';
     import type { IssueSummary as RouterSummary, ServerErrorCode as RouterCode, WatchedEvent as RouterEvent } from '${ROOT}packages/client/src/server-calls.ts';
     import type * as packed from '../node_modules/@sluice/client/index.js';
     type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
     type Parts<T> = T extends { query(input: infer I, options?: never): Promise<infer O> } ? { query: [I, O] }
       : T extends { mutate(input: infer I, options?: never): Promise<infer O> } ? { mutate: [I, O] }
       : T extends { subscribe(input: infer I, listener: infer L): unknown } ? { subscribe: [I, L] }
       : { [K in keyof T]: Parts<T[K]> };
     type Declared = Parts<packed.SluiceClient>;
     type Wanted = Parts<Router>;
     type Group = keyof Wanted & keyof Declared;
     type Differing = { [G in Group]: { [K in keyof Wanted[G] | keyof Declared[G]]:
       K extends keyof Wanted[G] & keyof Declared[G] ? (Same<Wanted[G][K], Declared[G][K]> extends true ? never : [G, K]) : [G, K]
     }[keyof Wanted[G] | keyof Declared[G]] }[Group];
     export const groups: Same<keyof Wanted, keyof Declared> = true;
     export const differing: [Differing] extends [never] ? true : Differing = true;
     export const codes: Same<RouterCode, packed.ServerErrorCode> = true;
     export const events: Same<RouterEvent, packed.WatchedEvent> = true;
     export const summaries: Same<RouterSummary, packed.IssueSummary> = true;
     export const some: Wanted['issues']['get'] extends { query: unknown } ? true : false = true;
     export type { Mutation, Query, Subscription };`,
  );
  const options = {
    extends: `${ROOT}tsconfig.base.json`,
    // A few members may be absent and not undefined; the declarations allow both, as the server does.
    compilerOptions: { typeRoots: [`${ROOT}node_modules/@types`], exactOptionalPropertyTypes: false },
  };
  writeFileSync(join(parity, 'tsconfig.json'), JSON.stringify({ ...options, files: ['parity.ts'] }));
  const { stdout } = await run(process.execPath, [TSC, '-p', parity]).catch((failed: { stdout: string }) => failed);
  expect(stdout.split('\n').filter((line) => line.includes('parity.ts'))).toEqual([]);
});

itConformsToOpenApi(() => proxied.proxy);
