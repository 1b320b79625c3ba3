import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import { expect } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, signUp, type Terminal } from './terminal.ts';

/** A service where Ada is the operator and has registered a repository, and Eve has not. */
export interface RemoteScene extends ProxiedService {
  readonly ada: Terminal;
  readonly eve: Terminal;
  /** The folder of the repository; its name is `invoice`. */
  readonly repo: string;
  /** Ada creates the sample issue, which is also in `bug.md` in her home. */
  create(): Promise<IssueWire>;
}

export async function openRemoteScene(): Promise<RemoteScene> {
  const ada = await openTerminal();
  const eve = await openTerminal();
  const proxied = await startProxiedService(ada, { LIMIT_CREATE_ISSUE: '30/1h' });
  await signUp(ada, proxied.service, 'ada@example.com');
  await signUp(eve, proxied.service, 'eve@example.com');
  const repo = await makeSampleRepo(ada.home);
  writeFileSync(join(ada.home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const added = await ada.sluice(['repos', 'add', repo]);
  expect(added.code, added.stderr).toBe(0);
  return {
    ...proxied,
    ada,
    eve,
    repo,
    create: () => ada.json<IssueWire>(['issues', 'create', '--repo', 'invoice', '--issue', 'bug.md']),
    async [Symbol.asyncDispose]() {
      await proxied[Symbol.asyncDispose]();
      for (const terminal of [ada, eve]) terminal[Symbol.dispose]();
    },
  };
}

/** The id of an issue as people type it. */
export const shortOf = ({ id }: Pick<IssueWire, 'id'>) => id.slice(-8);
