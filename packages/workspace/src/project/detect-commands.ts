import type { DetectedCommands, WorkspaceFiles } from '@sluice/core';
import { nodeProject } from './node-project.ts';
import { type ProjectFolder, projectFolder } from './project-folder.ts';
import { pythonProject } from './python-project.ts';

type Detector = (folder: ProjectFolder) => Promise<DetectedCommands | null>;

/** First come, first served, save that a Makefile's `test` wins where it ties several of them together. */
const ecosystems: readonly Detector[] = [
  nodeProject,
  // All targets are run though one fails: names that stop at the first failing one would hide new failures behind it.
  async (folder) => (folder.has('Cargo.toml') ? { setup: null, test: 'cargo test --no-fail-fast' } : null),
  async (folder) => (folder.has('go.mod') ? { setup: null, test: 'go test ./...' } : null),
  async (folder) => (folder.has('pom.xml') ? { setup: null, test: `${maven(folder)} -q -fae test` } : null),
  pythonProject,
];

const MANIFEST =
  /^(package\.json|Cargo\.toml|go\.mod|pom\.xml|pyproject\.toml|pytest\.ini|setup\.(py|cfg)|GNUmakefile|[Mm]akefile)$/;
const NOT_OURS = /(^|\/)(node_modules|vendor|third_party|examples?|fixtures?|testdata|target|dist|build|\.[^/]+)(\/|$)/;
const DEEPEST = 2;
const MOST_FOLDERS = 4;
const MAX_CANDIDATE_FILES = 200; // each costs a look at the whole list of files
const PLAIN_FOLDER = /^[\w./-]+$/;

/**
 * The commands of the root, or, where the root has no tests, of the projects in the folders nearest to it: all of
 * them one after the other, failing when any fails.
 */
export async function detectCommands(files: WorkspaceFiles): Promise<DetectedCommands> {
  const listed = await files.list();
  const root = await detectIn(projectFolder(files, listed, ''));
  if (root !== null) return root;
  for (let depth = 1; depth <= DEEPEST; depth += 1) {
    const found: { folder: string; commands: DetectedCommands }[] = [];
    const folders = foldersAt(listed, depth);
    if (folders.length > MAX_CANDIDATE_FILES) break;
    for (const folder of folders) {
      const commands = await detectIn(projectFolder(files, listed, folder));
      if (commands !== null) found.push({ folder, commands });
    }
    // Many small projects side by side are a collection, and no guess at one command is a good one.
    if (found.length > 0) return found.length > MOST_FOLDERS ? { setup: null, test: null } : joined(found);
  }
  return { setup: null, test: null };
}

async function detectIn(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const found: DetectedCommands[] = [];
  for (const detect of ecosystems) {
    const commands = await detect(folder);
    if (commands !== null) found.push(commands);
  }
  const [first = null] = found;
  if (found.length === 1 || !(await hasMakeTest(folder))) return first;
  return { setup: first?.setup ?? null, test: 'make test' };
}

/** Whether the Makefile that make would read has a target called `test`. */
async function hasMakeTest(folder: ProjectFolder): Promise<boolean> {
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => folder.has(name));
  const content = makefile === undefined ? null : await folder.read(makefile);
  return (content ?? '').split('\n').some((line) => {
    const targets = /^([^\t#:=][^#:=]*)::?(?!=)/.exec(line)?.[1];
    return targets?.trim().split(/\s+/).includes('test') ?? false;
  });
}

function maven(folder: ProjectFolder): string {
  return folder.has('mvnw') ? 'sh ./mvnw' : 'mvn';
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

function joined(found: readonly { folder: string; commands: DetectedCommands }[]): DetectedCommands {
  const inFolders = (part: keyof DetectedCommands) =>
    found.flatMap(({ folder, commands }) => (commands[part] === null ? [] : [`(cd ${folder} && ${commands[part]})`]));
  const setup = inFolders('setup');
  const test = inFolders('test');
  return {
    setup: setup.length === 0 ? null : setup.join(' && '),
    test:
      test.length < 2
        ? (test[0] ?? null)
        : `failed=0; ${test.map((one) => `${one} || failed=$?; `).join('')}exit $failed`,
  };
}
