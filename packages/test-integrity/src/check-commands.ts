import { plainCode } from './tokens.ts';

/** A named list of commands by which a repository tests or checks itself. */
export interface CheckCommand {
  readonly name: string;
  /** It runs tests: not only a linter or a type checker. */
  readonly isTest: boolean;
  /** One command each, as they were joined by `&&`, `;` or line breaks. */
  readonly parts: readonly string[];
  /** The other commands of its file that it runs first, by name: the prerequisites of a target. */
  readonly first?: readonly string[];
  readonly line: number;
}

/** The commands in a configuration, as far as its form is known: scripts, targets, steps. */
export function checkCommands(path: string, text: string | null): CheckCommand[] {
  if (text === null) return [];
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?:package|composer)\.json$/.test(file)) return scriptsIn(text);
  if (/[Mm]akefile$|\.mk$|^[Jj]ustfile$/.test(file)) return targetsIn(text);
  if (/^(?:tox\.ini|setup\.cfg)$/.test(file)) return [...blocksIn(text), ...optionsIn(text)];
  if (/^(?:pyproject\.toml|pytest\.ini)$/.test(file)) return optionsIn(text);
  if (file === '.rspec') return [{ name: OPTIONS.rspec, isTest: true, parts: [plainCode(`rspec ${text}`)], line: 1 }];
  if (/\.ya?ml$/.test(file)) return stepsIn(text);
  if (/\.sh$/.test(file)) return [{ name: file, isTest: true, parts: split(text.replaceAll(/^#.*$/gm, '')), line: 1 }];
  return [];
}

const MAX_COMMANDS = 300; // of one file

const TEST_NAME = /^(?:pre|post)?(?:tests?|unit|spec|check|verify|validate|ci|cover(?:age)?)(?:$|[:_.-])/;
const CHECK_NAME =
  /^(?:(?:pre|post)?tests?[:-])?(?:lint|types?|typecheck|type-check|tsc|format|style|spell\w*)(?:$|[:_.-])/;

const isKnown = (name: string) => TEST_NAME.test(name) || CHECK_NAME.test(name);

function scriptsIn(text: string): CheckCommand[] {
  const scripts = readObject(text, 'scripts');
  return Object.entries(scripts).flatMap(([name, command]) => {
    if (typeof command !== 'string' || !isKnown(name)) return [];
    return [{ name, isTest: !CHECK_NAME.test(name), parts: split(command), line: lineOf(text, `"${name}"`) }];
  });
}

function readObject(text: string, key: string): object {
  try {
    const value: unknown = (JSON.parse(text) as Record<string, unknown>)[key];
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // Not JSON: nothing can run it either.
  }
}

function targetsIn(text: string): CheckCommand[] {
  return Array.from(
    text.matchAll(/^([\w.-]+)[ \t]*::?(?!=)([^\n]*)\n((?:[ \t]+[^\n]*\n?|\n(?=[ \t]))*)/gm).take(MAX_COMMANDS),
  ).flatMap(({ index, 1: name = '', 2: prerequisites = '', 3: recipe = '' }) => {
    if (!isKnown(name)) return [];
    const first = prerequisites
      .replace(/#.*/, '')
      .split(/[\s|]+/)
      .filter((one) => isKnown(one));
    const parts = split(recipe).map((part) => part.replace(/^(?:\$[({]MAKE[)}] ?|(?:make|just) )(?=[\w.-]+$)/, ''));
    return [{ name, isTest: !CHECK_NAME.test(name), parts, first, line: lineAt(text, index) }];
  });
}

function blocksIn(text: string): CheckCommand[] {
  return Array.from(
    text.matchAll(/^(\[[^\]\n]*\])|^commands[ \t]*=[ \t]*([^\n]*\n(?:[ \t]+[^\n]*\n?)*)/gm).take(MAX_COMMANDS),
  ).reduce<{
    section: string;
    found: CheckCommand[];
  }>(
    ({ section, found }, { index, 1: head, 2: block }) =>
      head === undefined
        ? {
            section,
            found: [
              ...found,
              { name: `${section} commands`, isTest: true, parts: split(block ?? ''), line: lineAt(text, index) },
            ],
          }
        : { section: head, found },
    { section: '', found: [] },
  ).found;
}

/** The names under which options in a file of the runner's own stand: without them, everything runs. */
export const OPTIONS = { pytest: 'addopts', rspec: '.rspec' } as const;

/** The options that pytest adds to its command line. */
function optionsIn(text: string): CheckCommand[] {
  const found = /^addopts[ \t]*=[ \t]*(\[[^\]]*\]|"""[\s\S]*?"""|[^\n]*(?:\n[ \t]+[^\n]+)*)/m.exec(text);
  if (found === null) return [];
  return [
    {
      name: OPTIONS.pytest,
      isTest: true,
      parts: [plainCode(`pytest ${(found[1] ?? '').replaceAll(/["',[\]\n]+/g, ' ')}`)],
      line: lineAt(text, found.index),
    },
  ];
}

/** Commands that only name tests. */
const RUNS_NOTHING = /^(?:sed|cp|mv|rm|cd|echo|mkdir|export|curl|git|cat|grep|find|tar|ls|chmod|touch)\b/;
const RUNS_TESTS =
  /\b(?:tests?|pytest|jest|vitest|mocha|tox|nox|rspec|rake|gradlew?|mvnw?|ctest|phpunit|check|verify)\b/;

/** The steps of a workflow that run tests. Each is its own command: steps have no lasting names. */
function stepsIn(text: string): CheckCommand[] {
  const lists = text.matchAll(
    /^[ \t]*(?:script|commands):[ \t]*\n((?:[ \t]*-[ \t]+(?!name:|run:|uses:)[^\n]*(?:\n|$))+)/gm,
  );
  const listed = Array.from(lists.take(MAX_COMMANDS)).flatMap(({ index, 1: list = '' }) =>
    stepCommands(list.replaceAll(/^[ \t]*-[ \t]+/gm, ''), lineAt(text, index)),
  );
  const single = Array.from(
    text
      .matchAll(
        /^([ \t]*)(?:-[ \t]*)?(?:run|script|command):[ \t]*(?:[|>][-+]?[ \t]*\n((?:\1[ \t]+[^\n]*\n?|[ \t]*\n)*)|([^\n]+))/gm,
      )
      .take(MAX_COMMANDS),
  ).flatMap(({ index, 2: block, 3: inline }) => stepCommands(block ?? inline ?? '', lineAt(text, index)));
  return [...single, ...listed];
}

function stepCommands(script: string, line: number): CheckCommand[] {
  const parts = split(script).filter((part) => RUNS_TESTS.test(part) && !RUNS_NOTHING.test(part));
  return parts.map((part) => ({ name: 'step', isTest: true, parts: [part], line }));
}

function split(command: string): string[] {
  // With this the exit code of a pipe is that of the first that fails.
  const isPiped = /\bpipefail\b/.test(command);
  const parts = command
    .replaceAll(/\\\n/g, ' ')
    .split(/&&|\n|;(?!;)/)
    .map((part) => (isPiped ? part.replace(/(?<!\|)\|(?!\|).*$/, '') : part).slice(0, MAX_PART_LENGTH))
    .map((part) => plainCommand(part))
    .filter((part) => part !== '' && !part.startsWith('#'));
  return [...new Set(parts)].slice(0, MAX_PARTS);
}

const MAX_PART_LENGTH = 2_000; // characters
const MAX_PARTS = 100; // of one command: each is compared with each

function plainCommand(part: string): string {
  return plainCode(part.replaceAll(/\s+#\s.*$/g, '').replace(/^\s*@/, '')).replace(LAUNCHER, '');
}

/** Programs that start the one that is meant, and variables before it. */
const LAUNCHER =
  /^(?:\w+=\S+ )*(?:(?:npx|bunx|(?:npm|pnpm|yarn|bun)(?: run| exec| dlx)?|(?:poetry|uv|pipenv|hatch) run|bundle exec|python[\d.]* -m) (?=\w))+/;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function lineOf(text: string, part: string): number {
  return lineAt(text, Math.max(text.indexOf(part), 0));
}
