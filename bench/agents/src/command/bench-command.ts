type RunCommand = (args: string[]) => Promise<number> | number;

interface Command {
  /** Loads the command when it is called: the service, the sandbox and the models take seconds, and `--help` needs none. */
  readonly load: () => Promise<RunCommand>;
  readonly usage: string;
}

const commands: Readonly<Record<string, Command>> = {
  run: {
    load: async () => (await import('./run-command.ts')).runCommand,
    usage: `run   lets agents work on tasks, with controls, and prints the result
    --tasks FOLDER        the tasks (default: the three of the bench)
    --ready               in their place, fixes in 30 public repositories, which are fetched and checked first
    --only NAMES          with --ready: some of them, e.g. click,p-limit
    --clones FOLDER       with --ready: clones that you have, as owner__name (default: bench/agents/clones)
    --model NAME          e.g. anthropic/claude-sonnet-4-5 (default: scripted, which needs no key)
    --estimate            prints requests and dollars, for one model or several with commas, and runs nothing
    --agents NAMES        default: sluice,bash
    --runs NUMBER         of each agent on each task (default: 3)
    --cut-off DAY         until when the model was trained, e.g. 2026-02-28
    --at-once NUMBER      of trials (default: 1)
    --out FOLDER          a new one, or that of a run that was stopped`,
  },
  'make-tasks': {
    load: async () => (await import('./make-tasks-command.ts')).makeTasksCommand,
    usage: `make-tasks   makes tasks of the dated commits of a clone
    --repo CLONE          needed, but for --ready
    --test COMMAND        the command with which agents test; needed without --ready
    --verify COMMAND      what decides, best the runner with {files}, the hidden tests (default: --test's)
    --setup COMMAND       what installs the dependencies
    --allow-hosts HOSTS   what the setup command may reach, with commas
    --count NUMBER        of tasks (default: 20)
    --since DATE          a day, or e.g. "3 months ago" (default: 1 year ago)
    --until COMMIT        default: HEAD
    --texts FILE          better instructions: JSON, commit to text
    --image IMAGE         for Harbor (default: node:24-bookworm)
    --out FOLDER          default: bench/agents/tasks, for --ready bench/agents/ready
    --ready               tasks of fixes in 30 public repositories, which are fetched
    --only NAMES          with --ready: some of them, e.g. click,p-limit
    --clones FOLDER       with --ready: clones that you have, as owner__name (default: bench/agents/clones)`,
  },
  predict: {
    load: async () => (await import('./predict-command.ts')).predictCommand,
    usage: `predict   writes predictions for a dataset of SWE-bench's form
    --dataset FILE        needed: a row in each line
    --clones FOLDER       needed: a clone of each repository as owner__name
    --model NAME          needed
    --agents NAMES        default: sluice
    --limit NUMBER        of rows, from the first
    --minutes NUMBER      of work on each (default: 60)
    --out FOLDER          a new one, or that of predictions that were stopped`,
  },
  'review-page': {
    load: async () => (await import('./rubric-commands.ts')).reviewPageCommand,
    usage: `review-page   writes the page on which people judge changes
    --run FOLDER          needed
    --sample NUMBER       of changes (default: 20)
    --seed NUMBER         another one gives another sample (default: 1)`,
  },
  'sum-up': {
    load: async () => (await import('./rubric-commands.ts')).sumUpCommand,
    usage: `sum-up ANSWERS.json ...   prints what the answers of all reviewers say
    --run FOLDER          needed`,
  },
};

const HELP = new Set(['--help', '-h', 'help']);
const CALL = 'npm run bench:agents -- COMMAND [OPTIONS]\n\n';
const USAGE = `${CALL}${Object.values(commands)
  .map(({ usage }) => usage)
  .join('\n\n')}\n`;

/** Carries out a command line. @returns the exit code */
export async function benchCommand([name, ...args]: readonly string[]): Promise<number> {
  if (name !== undefined && HELP.has(name)) {
    process.stdout.write(USAGE);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(name === undefined ? USAGE : `There is no command "${name}".\n\n${USAGE}`);
    return 2;
  }
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${CALL}${command.usage}\n`);
    return 0;
  }
  const run = await command.load();
  try {
    return await run(args);
  } catch (error) {
    const { toldToPeople } = await import('../usage/told-to-people.ts');
    process.stderr.write(`${toldToPeople(error)}\n`);
    return 2;
  }
}
