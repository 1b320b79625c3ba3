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
