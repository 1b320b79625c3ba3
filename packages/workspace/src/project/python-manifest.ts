import type { ProjectFolder } from './project-folder.ts';

/** What a Python project says it needs, from whichever of its files says it. */
export interface PythonManifest {
  /** The text of all of its configuration files. */
  readonly text: string;
  /** Names of its optional dependencies for tests and development. */
  readonly extras: readonly string[];
  /** Requirements that are listed outside the package's own metadata: groups, environments of hatch, deps of tox. */
  readonly requirements: readonly string[];
  /** Requirements that the package itself declares, those for tests among them. */
  readonly dependencies: readonly string[];
  /** Files for `pip install -r`. */
  readonly files: readonly string[];
  /** Whether `pip install .` can build it. */
  readonly isPackage: boolean;
}

const CONFIGURATION = ['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'pytest.ini', 'Pipfile'];
const FOR_TESTS = /^(?:tests?|testing|dev|develop|development)$/;
const REQUIREMENT_FILE =
  /^(?:requirements(?:[-_.](?:tests?|testing|dev|development))?|(?:dev|tests?)[-_]requirements|requirements\/(?:tests?|testing|dev|development))\.txt$/;
/** Requirements as PEP 508 writes them, without anything that would have to be quoted inside single quotes. */
const PLAIN_REQUIREMENT = /^[A-Za-z][\w.\-[\],<>=!~ ;"@:/+*()]*$/;
const MAX_REQUIREMENTS = 40;

export async function pythonManifest(folder: ProjectFolder): Promise<PythonManifest> {
  const texts = await Promise.all(CONFIGURATION.map(async (name) => (await folder.read(name)) ?? ''));
  const [pyproject = '', setupCfg = '', setupPy = '', tox = ''] = texts;
  const groups = tableOf(pyproject, 'dependency-groups');
  const optional = tableOf(pyproject, 'project.optional-dependencies');
  const hatch = ['default', 'test', 'tests', 'dev'].flatMap((name) => {
    const environment = tableOf(pyproject, `tool.hatch.envs.${name}`);
    return ['dependencies', 'extra-dependencies'].flatMap((key) => stringsIn(environment.get(key) ?? ''));
  });
  const grouped = [...groups].flatMap(([name, value]) => (FOR_TESTS.test(name) ? stringsIn(value) : []));
  const extra = [...optional].flatMap(([name, value]) => (FOR_TESTS.test(name) ? stringsIn(value) : []));
  const requirements = [...grouped, ...hatch, ...toxDependencies(tox)].filter((one) => PLAIN_REQUIREMENT.test(one));
  return {
    text: texts.join('\n'),
    extras: [...optional.keys()].filter((name) => FOR_TESTS.test(name)),
    requirements: [...new Set(requirements)].slice(0, MAX_REQUIREMENTS),
    dependencies: [...stringsIn(tableOf(pyproject, 'project').get('dependencies') ?? ''), ...extra]
      .filter((one) => PLAIN_REQUIREMENT.test(one))
      .slice(0, MAX_REQUIREMENTS),
    files: folder.files.filter((path) => REQUIREMENT_FILE.test(path)),
    isPackage:
      setupPy !== '' ||
      /^\[metadata\]/m.test(setupCfg) ||
      /^\[build-system\]/m.test(pyproject) ||
      (/^\[project\]/m.test(pyproject) && folder.files.some((path) => /^src\/[^/]+\/__init__\.py$/.test(path))),
  };
}

/** The keys of a table in TOML, with their values as they are written. Values may go on over several lines. */
function tableOf(toml: string, table: string): Map<string, string> {
  const found = new Map<string, string>();
  let current = '';
  let key: string | null = null;
  for (const line of toml.split('\n')) {
    const header = key === null ? /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim() : undefined;
    if (header !== undefined) current = header;
    else if (current === table && key !== null) found.set(key, `${found.get(key)}\n${line}`);
    else if (current === table) {
      const [, name, value] = /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      key = name;
      found.set(key, value);
    }
    if (key !== null && isClosed(found.get(key) ?? '')) key = null;
  }
  return found;
}

/** The strings of a list, without those of tables inside it (`{include-group = "test"}`). */
function stringsIn(value: string): string[] {
  const outside = value.replaceAll(/\{[^}]*\}/g, '');
  return [...outside.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, double, single]) => double ?? single ?? '');
}

function isClosed(value: string): boolean {
  const bare = value.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '').replaceAll(/#.*/g, '');
  return bare.split('[').length <= bare.split(']').length;
}

/** The plain requirements in `deps` of tox; files, paths and its own placeholders are left to the other sources. */
function toxDependencies(ini: string): string[] {
  const block = /^deps\s*=\s*(.*(?:\n[ \t]+.*)*)/m.exec(ini)?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^[A-Za-z]/.test(line) && !/[{}]|^[\w-]+:/.test(line));
}
