/*
 * The bench of the agents. README.md beside `src` says what each command is for.
 *
 *   npm run bench:agents -- run [--tasks FOLDER] [--model NAME | scripted] [--agents sluice,bash] [--runs 3]
 *       [--cut-off 2026-03-31] [--at-once 1] [--out FOLDER]
 *   npm run bench:agents -- make-tasks --repo CLONE --test COMMAND [--verify COMMAND] [--setup COMMAND]
 *       [--allow-hosts HOSTS] [--count 20] [--since DATE] [--until COMMIT] [--texts FILE] [--image IMAGE] [--out FOLDER]
 *   npm run bench:agents -- predict --dataset FILE --clones FOLDER --model NAME [--agents sluice] [--limit N] [--out FOLDER]
 *   npm run bench:agents -- review-page --run FOLDER [--sample 20] [--seed 1]
 *   npm run bench:agents -- sum-up --run FOLDER ANSWERS.json …
 */
import { ConfigError } from '@sluice/server';
import { makeTasksCommand } from './command/make-tasks-command.ts';
import { predictCommand } from './command/predict-command.ts';
import { reviewPageCommand, sumUpCommand } from './command/rubric-commands.ts';
import { runCommand } from './command/run-command.ts';
import { UsageError } from './usage/usage-error.ts';

const commands: Readonly<Record<string, (args: string[]) => Promise<number> | number>> = {
  run: runCommand,
  'make-tasks': makeTasksCommand,
  predict: predictCommand,
  'review-page': reviewPageCommand,
  'sum-up': sumUpCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  process.stderr.write(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await runToItsEnd(() => command(args));
}

/** What a person can correct is told in a sentence; anything else is a bug, and keeps its stack. */
async function runToItsEnd(run: () => Promise<number> | number): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isForPeople =
      error instanceof UsageError || error instanceof ConfigError || /^(ERR_PARSE_ARGS|ENOENT)/.test(code);
    if (!isForPeople) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
}
