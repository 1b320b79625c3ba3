import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { openTerminal, type Terminal } from './terminal.ts';

type Listed = { items: { id: string; status: string; repo_url: string }[] };

/** A repository on this machine, and a terminal whose issues no server has. */
interface LocalScene extends Disposable {
  readonly terminal: Terminal;
  readonly repo: string;
  /** The call that takes the sample issue to its gate. */
  readonly run: readonly string[];
  sluice(...args: readonly string[]): ReturnType<Terminal['sluice']>;
  listed(): Promise<Listed['items']>;
  /** Starts a run that ends at the gate. @returns the id that it prints */
  runToGate(): Promise<string>;
}

export async function openLocalScene(): Promise<LocalScene> {
  const terminal = await openTerminal();
  const repo = await makeSampleRepo(terminal.home);
  const issue = join(terminal.home, 'bug.md');
  writeFileSync(issue, `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const run = ['run', '--repo', repo, '--issue', issue];
  const sluice: LocalScene['sluice'] = (...args) => terminal.sluice(args);
  return {
    terminal,
    repo,
    run,
    sluice,
    listed: async () => (await terminal.json<Listed>(['list'])).items,
    async runToGate() {
      const { code, stderr } = await sluice(...run);
      expect(code, stderr).toBe(9);
      return /Decide with: sluice approve ([0-9a-f]{8}) /.exec(stderr)?.[1] ?? '';
    },
    [Symbol.dispose]: () => terminal[Symbol.dispose](),
  };
}
