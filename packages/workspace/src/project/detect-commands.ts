import type { DetectedCommands, WorkspaceFiles } from '@sluice/core/workspace';
import { ciTest, devContainerSetup, otherTest, taskRunnerTest } from './command-hints.ts';
import {
  bazelProject,
  cargoProject,
  dotnetProject,
  goProject,
  gradleProject,
  haskellProject,
  mavenProject,
  nativeProject,
  sbtProject,
  swiftProject,
  zigProject,
} from './compiled-projects.ts';
import type { Detector } from './detector.ts';
import { joinedTests } from './failed-parts.ts';
import { nodeProject, nodeTestFiles } from './node-project.ts';
import { type ProjectFolder, projectFolder } from './project-folder.ts';
import { pythonProject } from './python-project.ts';
import { batsProject, dartProject, denoProject, elixirProject, phpProject, rubyProject } from './script-projects.ts';

/** The detectors in groups. The first match of a group is used: its tools do the same work for the same code. */
const ecosystems: readonly (readonly Detector[])[] = [
  [nodeProject, denoProject],
  [cargoProject],
  [goProject],
  [mavenProject, gradleProject, sbtProject],
  [pythonProject],
  [dotnetProject],
  [rubyProject],
  [phpProject],
  [elixirProject],
  [dartProject],
  [swiftProject],
  [haskellProject],
  [nativeProject],
  [zigProject],
];

/** Their usual command says more than a task of the same name that only calls it. */
const wellKnown = new Set<Detector>([nodeProject, cargoProject, goProject, mavenProject, pythonProject]);

/** Where none of them is, and no task either. */
const lastResorts: readonly Detector[] = [nodeTestFiles, bazelProject, batsProject];

const MANIFEST =
  /^(package\.json|deno\.jsonc?|Cargo\.toml|go\.mod|pom\.xml|(build|settings)\.gradle(\.kts)?|build\.sbt|pyproject\.toml|pytest\.ini|setup\.(py|cfg)|tox\.ini|requirements\.txt|Pipfile|manage\.py|.*\.(slnx?|csproj|fsproj)|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|Package\.swift|stack\.yaml|cabal\.project|.*\.cabal|CMakeLists\.txt|meson\.build|build\.zig|GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|[Tt]askfile\.ya?ml)$/;
const NOT_OURS = /(^|\/)(node_modules|vendor|third_party|examples?|fixtures?|testdata|target|dist|build|\.[^/]+)(\/|$)/;
const MAX_DEPTH = 3;
const MAX_FOLDERS = 12;
const MAX_CANDIDATE_FILES = 200; // each costs a look at the whole list of files
const PLAIN_FOLDER = /^[\w./-]+$/;

/** Folders beside the code of a root in another language, by the names that people give them. */
const FRONT_END = /^(web|webapp|website|www|front-?end|client|ui|dashboard|console)$/;

interface FoundIn {
  /** '' for the root. */
  readonly folder: string;
  readonly commands: DetectedCommands;
}

/**
 * The commands of the root with its front end, or, where the root has no tests, of the projects in the folders nearest to
 * it: all of them one after the other, failing when any fails. Last come the hints of scripts and workflows.
 */
export async function detectCommands(files: WorkspaceFiles): Promise<DetectedCommands> {
  const listed = await files.list();
  const root = projectFolder(files, listed, '');
  const inRoot = await detectIn(root);
  if (inRoot !== null) return joined([{ folder: '', commands: inRoot }, ...(await frontEnds(files, listed))]);
  const below = await detectBelow(files, listed);
  if (below !== null) return below;
  const test = (await otherTest(root)) ?? (await ciTest(root));
  return { setup: test === null ? null : await devContainerSetup(root), test };
}

async function detectBelow(files: WorkspaceFiles, listed: readonly string[]): Promise<DetectedCommands | null> {
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    const found: FoundIn[] = [];
    const folders = foldersAt(listed, depth);
    if (folders.length > MAX_CANDIDATE_FILES) return null;
    for (const folder of folders) {
      const commands = await detectIn(projectFolder(files, listed, folder));
      if (commands !== null) found.push({ folder, commands });
    }
    // Many small projects side by side are a collection, and no guess at one command is a good one.
    if (found.length > 0) return found.length > MAX_FOLDERS ? null : joined(found);
  }
  return null;
}

/** A root with a `package.json` of its own is taken to test its front end itself. */
async function frontEnds(files: WorkspaceFiles, listed: readonly string[]): Promise<FoundIn[]> {
  if (listed.includes('package.json')) return [];
  const found: FoundIn[] = [];
  for (const folder of foldersAt(listed, 1).filter((one) => FRONT_END.test(one))) {
    const commands = await nodeProject(projectFolder(files, listed, folder));
    if (commands !== null) found.push({ folder, commands });
  }
  return found;
}

async function detectIn(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const found: Found[] = [];
  for (const group of ecosystems) {
    const first = await firstIn(folder, group);
    if (first !== null) found.push(first);
  }
  const [first = null] = found;
  if (first !== null && found.length === 1 && wellKnown.has(first.by)) return first.commands;
  const all = first === null ? null : joined(found.map(({ commands }) => ({ folder: '', commands })));
  // A task may tie several projects together, or prepare what a test needs.
  const task = await taskRunnerTest(folder);
  if (task !== null) return { setup: all?.setup ?? null, test: `${variablesOf(found)}${task}` };
  return all ?? (await firstIn(folder, lastResorts))?.commands ?? null;
}

/** The variables by which the tools of the projects find what was installed: the task needs them as well. */
function variablesOf(found: readonly Found[]): string {
  const variables = found.flatMap(({ commands }) => commands.test?.match(/^(?:[A-Z_]+=(?:"[^"]*"|\S+) )+/)?.[0] ?? []);
  return [...new Set(variables)].join('');
}

interface Found {
  readonly by: Detector;
  readonly commands: DetectedCommands;
}

async function firstIn(folder: ProjectFolder, detectors: readonly Detector[]): Promise<Found | null> {
  for (const detect of detectors) {
    const commands = await detect(folder);
    if (commands !== null) return { by: detect, commands };
  }
  return null;
}

function foldersAt(listed: readonly string[], depth: number): string[] {
  const folders = listed.flatMap((path) => {
    const parts = path.split('/');
    const folder = parts.slice(0, -1).join('/');
    const isCandidate = parts.length === depth + 1 && MANIFEST.test(parts.at(-1) ?? '') && !NOT_OURS.test(folder);
    // Anything but plain characters would have to be quoted for a shell; such folders are left to the operator.
    return isCandidate && PLAIN_FOLDER.test(folder) && !folder.startsWith('-') ? [folder] : [];
  });
  return [...new Set(folders)].sort();
}

function joined(found: readonly FoundIn[]): DetectedCommands {
  const partsOf = (part: keyof DetectedCommands) => {
    const some = found.flatMap(({ folder, commands }) =>
      commands[part] === null ? [] : [{ folder, command: commands[part] }],
    );
    const [one] = some;
    if (some.length === 1 && one?.folder === '') return [{ name: nameOf(one), command: one.command }];
    return some.map(({ folder, command }) => ({
      name: nameOf({ folder, command }),
      command: folder === '' ? `(${command})` : `(cd ${folder} && ${command})`,
    }));
  };
  const setup = partsOf('setup').map(({ command }) => command);
  const tests = partsOf('test');
  return {
    setup: setup.length === 0 ? null : setup.join(' && '),
    test: tests.length < 2 ? (tests[0]?.command ?? null) : joinedTests(tests),
  };
}

/** The folder, or in the root the tool, whose name stands behind the variables and the interpreter. */
function nameOf({ folder, command }: { readonly folder: string; readonly command: string }): string {
  if (folder !== '') return folder;
  const tool = command.split(' ').find((word) => !/=|^(?:sh|bash|python3?|-\w*)$/.test(word));
  return (
    tool
      ?.split('/')
      .at(-1)
      ?.match(/^[\w.-]+/)?.[0] ?? 'root'
  );
}
