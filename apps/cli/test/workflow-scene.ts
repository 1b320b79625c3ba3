import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import { expect } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { exitCode } from '../src/terminal/exit-code.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, signUp, type Terminal } from './terminal.ts';

export const WORKFLOW = '.github/workflows/build.yaml';

/** A registered repository, and `workflow.md`, an issue whose change holds a workflow. */
export interface WorkflowScene extends ProxiedService {
  readonly terminal: Terminal;
  readonly repo: string;
  branches(): string;
  /** Such an issue, with its plan approved and its change made. */
  atPublishGate(): Promise<IssueWire>;
}

export async function openWorkflowScene(): Promise<WorkflowScene> {
  const terminal = await openTerminal();
  const proxied = await startProxiedService(terminal);
  await signUp(terminal, proxied.service, 'ada@example.com');
  const repo = await makeSampleRepo(terminal.home);
  await terminal.sluice(['repos', 'add', repo]);
  const workflow = `\`\`\`yaml file=${WORKFLOW}\non: push\njobs: {}\n\`\`\`\n`;
  writeFileSync(join(terminal.home, 'workflow.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}\n\n${workflow}`);
  return {
    ...proxied,
    terminal,
    repo,
    branches: () => execFileSync('git', ['-C', repo, 'branch', '--list', 'sluice/*'], { encoding: 'utf8' }),
    async atPublishGate() {
      const run = ['run', '--repo', repo, '--url', proxied.service.url, '--issue', 'workflow.md', '--yes', '--no-wait'];
      const asked = await terminal.sluice(run);
      expect(asked.code, asked.stderr).toBe(exitCode.waitsForApproval);
      const { items } = await terminal.json<{ items: IssueWire[] }>([
        'issues',
        'list',
        '--status',
        'awaiting_approval',
      ]);
      const [issue] = items;
      if (issue === undefined) throw new Error(`No issue waits: ${asked.stderr}`);
      expect(issue.gate).toMatchObject({ kind: 'publish' });
      // A list leaves out what the user's approval would count for.
      return await terminal.json<IssueWire>(['issues', 'show', issue.id]);
    },
    async [Symbol.asyncDispose]() {
      await proxied[Symbol.asyncDispose]();
      terminal[Symbol.dispose]();
    },
  };
}
