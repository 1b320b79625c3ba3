import type { ProjectFacts, WorkspaceFiles } from '@sluice/core/workspace';
import { projectFolder } from './project-folder.ts';
import { projectPackages } from './project-packages.ts';

/** What prints the version of a program, by the files that show that a project uses it. */
const PROGRAMS: readonly (readonly [RegExp, readonly (readonly string[])[]])[] = [
  [/^package\.json$/, [['node', '--version']]],
  [/^(package-lock\.json|npm-shrinkwrap\.json)$/, [['npm', '--version']]],
  [/^pnpm-lock\.yaml$/, [['pnpm', '--version']]],
  [/^yarn\.lock$/, [['yarn', '--version']]],
  [/^bun\.lockb?$/, [['bun', '--version']]],
  [/^deno\.jsonc?$/, [['deno', '--version']]],
  [
    /^(pyproject\.toml|setup\.(py|cfg)|requirements[^/]*\.txt|Pipfile|tox\.ini|pytest\.ini)$/,
    [['python3', '--version']],
  ],
  [/^uv\.lock$/, [['uv', '--version']]],
  [/^poetry\.lock$/, [['poetry', '--version']]],
  [
    /^Cargo\.toml$/,
    [
      ['cargo', '--version'],
      ['rustc', '--version'],
    ],
  ],
  [/^go\.(mod|work)$/, [['go', 'version']]],
  [/^(pom\.xml|(build|settings)\.gradle(\.kts)?|build\.sbt)$/, [['java', '-version']]],
  [/\.(slnx?|csproj|fsproj)$/, [['dotnet', '--version']]],
  [/^Gemfile$/, [['ruby', '--version']]],
  [/^composer\.json$/, [['php', '--version']]],
  [/^mix\.exs$/, [['elixir', '--short-version']]],
  [/^pubspec\.yaml$/, [['dart', '--version']]],
  [/^Package\.swift$/, [['swift', '--version']]],
  [/^build\.zig$/, [['zig', 'version']]],
  [/(^stack\.yaml|^cabal\.project|\.cabal)$/, [['ghc', '--version']]],
  [/^CMakeLists\.txt$/, [['cmake', '--version']]],
  [/^(GNUm|m|M)akefile$/, [['make', '--version']]],
];
/** The root, and the projects in its folders. */
const MAX_DEPTH = 3;
const MAX_PROGRAMS = 12;

/** What can be told of a project from its files alone. */
export async function projectFacts(files: WorkspaceFiles): Promise<ProjectFacts> {
  const listed = await files.list();
  const names = new Set(
    listed.filter((path) => path.split('/').length <= MAX_DEPTH && !path.includes('node_modules/')).map(baseName),
  );
  const programs = PROGRAMS.flatMap(([manifest, found]) =>
    [...names].some((name) => manifest.test(name)) ? found : [],
  );
  return {
    programs: programs.slice(0, MAX_PROGRAMS),
    packages: await projectPackages(projectFolder(files, listed, '')),
    topLevel: topLevelOf(listed),
  };
}

/** Folders first, as people list them, each with a slash at its end. */
function topLevelOf(listed: readonly string[]): string[] {
  const folders = new Set(listed.filter((path) => path.includes('/')).map((path) => `${path.split('/')[0]}/`));
  return [...[...folders].sort(), ...listed.filter((path) => !path.includes('/'))];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
