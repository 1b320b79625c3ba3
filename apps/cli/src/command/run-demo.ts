import { join } from 'node:path';
import { followIssue } from '../follow/follow-issue.ts';
import { makeDemoFolder, removeFolder } from '../local/demo-folder.ts';
import { type GivenConfiguration, noteIgnoredDotEnv } from '../local/local-server.ts';
import { openLocalFolder } from '../local/open-local-folder.ts';
import { makeSampleRepo, sampleIssue } from '../local/sample-repo.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand, personalDataDir } from '../terminal/environment.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { createOutput, type Output, type OutputOptions } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';

interface DemoOptions extends OutputOptions {
  readonly yes: boolean;
  readonly verbose?: true;
  readonly configuration: GivenConfiguration;
}

/** Takes the sample issue on a fresh sample repository through the pipeline, and prints how to see the result. */
export async function runDemo(options: DemoOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const { configuration } = options;
  noteIgnoredDotEnv(output, configuration);
  const folder = await makeDemoFolder(join(personalDataDir(), 'demo'));
  const repo = await makeSampleRepo(folder);
  output.message(`A repository with a bug and a failing test:\n  ${repo}`);
  output.message(`The issue: ${output.messageStyle('bold', sampleIssue.title)}\n`);
  const message = (text: string) => output.message(output.messageStyle('yellow', text));
  const dataDir = join(folder, 'data');
  const code = await demonstrate(output, { repo, dataDir, message, ...options });
  // The next demo starts over, so nothing but the repository is of use; after a failure, the log is.
  if (code !== exitCode.pipelineFailed) await removeFolder(dataDir);
  if (code === exitCode.done) {
    output.message(`\nSee the result:  git -C ${shellWord(repo)} log --stat --all`);
    output.message('The repository is kept until the next demo.');
    output.message(`Try your own issue:  ${ownCommand()} run --repo PATH --issue FILE`);
  }
  return code;
}

async function demonstrate(
  output: Output,
  options: DemoOptions & { readonly repo: string; readonly dataDir: string; readonly message: (text: string) => void },
): Promise<ExitCode> {
  const { repo, dataDir, configuration, message } = options;
  await using server = await openLocalFolder(dataDir, { works: true, configuration, message });
  const canAsk = isAtTerminal();
  return await interruptible(
    async (signal) => {
      const { id: repoId } = await server.client.repos.create.mutate({ url: repo }, { signal });
      const { id: issueId } = await server.client.issues.create.mutate({ repo_id: repoId, ...sampleIssue }, { signal });
      const howToDecide = () => `The demo ends here; the next one starts over: ${ownCommand()} demo  (--yes approves)`;
      const followed = await followIssue(server.client, output, {
        issueId,
        yes: options.yes,
        verbose: options.verbose,
        canAsk,
        wait: false,
        howToDecide,
        signal,
      });
      return followed.code;
    },
    () => output.message('\nInterrupted. The next demo starts over.'),
  );
}
