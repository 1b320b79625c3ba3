import type { ProjectFolder } from './project-folder.ts';

/** The command of a task runner whose file has a task called `test`; null where there is none. */
export async function taskRunnerTest(folder: ProjectFolder): Promise<string | null> {
  if (await hasMakeTarget(folder, 'test')) return 'make test';
  const justfile = await firstOf(folder, ['justfile', 'Justfile', '.justfile']);
  if (/^@?test(?:\s[^:=]*)?:(?!=)/m.test(justfile)) return 'just test';
  const taskfile = await firstOf(folder, ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']);
  return /^ {2,4}["']?test["']?\s*:/m.test(taskfile) ? 'task test' : null;
}

/**
 * The test command where no project and no task says how it is tested: `make check`, and scripts with the usual names.
 */
export async function otherTest(folder: ProjectFolder): Promise<string | null> {
  if (await hasMakeTarget(folder, 'check')) return 'make check';
  const script = SCRIPTS.find((path) => folder.has(path));
  if (script === undefined) return null;
  const [first = ''] = ((await folder.read(script)) ?? '').split('\n');
  // The file may not be executable, so its interpreter is named.
  const shell = /^#!.*\b(bash|zsh|python3|node|ruby|perl)\b/.exec(first)?.[1] ?? 'sh';
  return `${shell} ./${script}`;
}

const SCRIPTS = [
  'script/test',
  'scripts/test',
  'bin/test',
  'test.sh',
  'run_tests.sh',
  'run-tests.sh',
  'runtests.sh',
].flatMap((path) => (path.endsWith('.sh') ? [path, `scripts/${path}`] : [path, `${path}.sh`]));

/** Whether the Makefile that make would read has this target. */
async function hasMakeTarget(folder: ProjectFolder, target: string): Promise<boolean> {
  const makefile = await firstOf(folder, ['GNUmakefile', 'makefile', 'Makefile']);
  return makefile.split('\n').some((line) => {
    const targets = /^([^\t#:=][^#:=]*)::?(?!=)/.exec(line)?.[1];
    return targets?.trim().split(/\s+/).includes(target) ?? false;
  });
}

/** The text of the first of these files that is there, or ''. */
async function firstOf(folder: ProjectFolder, names: readonly string[]): Promise<string> {
  const name = names.find((one) => folder.has(one));
  return name === undefined ? '' : ((await folder.read(name)) ?? '');
}

const WORKFLOW = /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/;
const MAX_WORKFLOWS = 20;

/** One program with plain arguments: nothing that a shell would join, expand or redirect. */
const PLAIN = /^[\w./@:=,+ -]{1,200}$/;
const TESTS =
  /^(?:\.\/)?(?:[\w.-]+\/)*(?:run[-_]?tests?|tests?)(?:\.(?:sh|py|js|rb|pl))?(?: |$)|^(?:python3?|bash|sh|node|ruby|perl|php) (?:\.\/)?(?:[\w.-]+\/)*(?:run[-_]?)?tests?\.\w+(?: |$)|^(?:npm|pnpm|yarn|bun|deno|make|just|task|rake|tox|nox|hatch|cargo|go|ant|buck2?|pants|dune|lein|gleam|scons|ninja)(?: run)? (?:test|check)[\w:-]*(?: |$)|^(?:nox|ctest|prove|busted|luarocks test|dune runtest|ninja test)(?: |$)/;

/**
 * The first command of the workflows that is plainly one that runs tests. The last hint, because a workflow also prepares
 * machines and publishes.
 */
export async function ciTest(folder: ProjectFolder): Promise<string | null> {
  for (const path of folder.files.filter((one) => WORKFLOW.test(one)).slice(0, MAX_WORKFLOWS)) {
    for (const line of ((await folder.read(path)) ?? '').split('\n')) {
      const command = unquoted(line.trim().replace(/^(?:- )?(?:run:\s*|script:\s*|command:\s*)?(?:- )?/, ''));
      if (PLAIN.test(command) && TESTS.test(command)) return command;
    }
  }
  return null;
}

/**
 * The command that the dev container runs once it is there; null where it has none, or a list that is no shell command.
 */
export async function devContainerSetup(folder: ProjectFolder): Promise<string | null> {
  const path = ['.devcontainer/devcontainer.json', '.devcontainer.json'].find((one) => folder.has(one));
  const text = path === undefined ? '' : ((await folder.read(path)) ?? '');
  // With comments and commas that JSON does not have: only the one member is read.
  const value = /"(?:postCreateCommand|updateContentCommand)"\s*:\s*("(?:[^"\\\n]|\\.)*")/.exec(text)?.[1];
  if (value === undefined) return null;
  try {
    const command: unknown = JSON.parse(value);
    return typeof command === 'string' && command.trim() !== '' ? command : null;
  } catch {
    return null;
  }
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
