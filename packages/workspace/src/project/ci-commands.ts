import type { ProjectFolder } from './project-folder.ts';

const WORKFLOW = /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/;
const MOST_WORKFLOWS = 20;

/** One program with plain arguments: nothing that a shell would join, expand or redirect. */
const PLAIN = /^[\w./@:=,+ -]{1,200}$/;
const TESTS =
  /^(?:\.\/)?(?:[\w.-]+\/)*(?:run[-_]?tests?|tests?)(?:\.(?:sh|py|js|rb|pl))?(?: |$)|^(?:python3?|bash|sh|node|ruby|perl|php) (?:\.\/)?(?:[\w.-]+\/)*(?:run[-_]?)?tests?\.\w+(?: |$)|^(?:npm|pnpm|yarn|bun|deno|make|just|task|rake|tox|nox|hatch|cargo|go|ant|buck2?|pants|dune|lein|gleam|scons|ninja)(?: run)? (?:test|check)[\w:-]*(?: |$)|^(?:nox|ctest|prove|busted|luarocks test|dune runtest|ninja test)(?: |$)/;

/**
 * The first command of the workflows that is plainly one that runs tests. The last hint, because a workflow also prepares
 * machines and publishes.
 */
export async function ciTest(folder: ProjectFolder): Promise<string | null> {
  for (const path of folder.files.filter((one) => WORKFLOW.test(one)).slice(0, MOST_WORKFLOWS)) {
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
