import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { personalDataDir } from '../config.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { interruptible } from '../interruptible.ts';
import { openLocalServer } from '../local-server.ts';
import { createOutput } from '../output.ts';
import { makeSampleRepo, sampleIssue } from '../sample-repo.ts';
import { workOnIssue } from '../work-on-issue.ts';

const KEPT_MS = 24 * 60 * 60 * 1_000; // long enough to look at the branch, short enough not to pile up

export function addDemoCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('demo')
    .description('watch an issue become a tested branch on a sample repository; needs no key and no server')
    .option('-y, --yes', 'approve the plan without asking')
    .option('--json', 'print the issue as JSON when it has ended')
    .action(async (options: { yes?: true; json?: true }) => finish(await demo(options)));
}

async function demo(options: { yes?: true; json?: true }): Promise<ExitCode> {
  const output = createOutput({ json: options.json === true });
  const folder = await demoFolder();
  const repo = await makeSampleRepo(folder);
  output.talk(`A repository with a bug and a failing test: ${repo}`);
  output.talk(`The issue: ${output.talkStyle('bold', sampleIssue.title)}\n`);
  await using server = await openLocalServer(join(folder, 'data'));
  if (server.sandboxWarning !== null) output.talk(output.talkStyle('yellow', server.sandboxWarning));
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const code = await interruptible(
    async (signal) => {
      const { id: repoId } = await server.client.repos.create.mutate({ url: repo });
      const { id: issueId } = await server.client.issues.create.mutate({ repo_id: repoId, ...sampleIssue });
      return await workOnIssue(server.client, output, { issueId, yes: options.yes === true, canAsk, signal });
    },
    () => output.talk('\nInterrupted.'),
  );
  if (code === exitCode.done)
    output.talk(
      `\nLook at it:  git -C ${repo} log --stat --all\nOn your own:  npm run sluice -- run --repo PATH --issue FILE`,
    );
  return code;
}

async function demoFolder(): Promise<string> {
  const parent = join(personalDataDir(), 'demo');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
  return await mkdtemp(join(parent, 'run-'));
}
