import type { DetectedCommands } from '@sluice/core/workspace';
import type { ProjectFolder } from './project-folder.ts';
import { type PythonManifest, pythonManifest } from './python-manifest.ts';

const TEST_FILE = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;
const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'Pipfile'];
const MAX_TEST_FILES = 20;

/** Its tests run with the packages of `.venv` where the setup command has made one, else with the interpreter's own. */
const FROM_VENV = 'PATH="$PWD/.venv/bin:$PATH" ';

/** A project that pytest, Django or unittest runs: configured for it, or Python with test files. */
export async function pythonProject(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const manifest = await pythonManifest(folder);
  const test = await testOf(folder, manifest);
  if (test === null) return null;
  const setup = setupOf(folder, manifest, test.includes('pytest') ? ['pytest'] : []);
  return { setup, test: `${pathOf(folder, manifest)}${setup === null ? '' : FROM_VENV}${test}` };
}

async function testOf(folder: ProjectFolder, manifest: PythonManifest): Promise<string | null> {
  const usesPytest =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some((file) => folder.has(file)) ||
    /^\[(?:tool\.pytest\b|tool:pytest\]|pytest\])|\bpytest\b/m.test(manifest.text) ||
    (await anyHas(folder, manifest.files, /^pytest\b/m));
  // pytest runs as a module, so that the project's own packages are importable without being installed.
  if (usesPytest && (hasTestFiles(folder) || isConfigured(folder, manifest))) return 'python3 -m pytest';
  if (folder.has('manage.py')) return 'python3 manage.py test';
  if (!hasTestFiles(folder)) return null;
  return (await isUnittest(folder)) ? unittest(folder) : 'python3 -m pytest';
}

function isConfigured(folder: ProjectFolder, { text }: PythonManifest): boolean {
  const files = ['pytest.ini', 'conftest.py', 'tests/conftest.py'];
  return /^\[(?:tool\.pytest\b|tool:pytest\]|pytest\])/m.test(text) || files.some((file) => folder.has(file));
}

function hasTestFiles({ files, has }: ProjectFolder): boolean {
  const isProject = PROJECT_FILES.some((file) => has(file));
  return files.some((path) => TEST_FILE.test(path) && (isProject || /^(tests?\/)?[^/]+$/.test(path)));
}

/** Whether the test files are written for the standard library alone, which needs nothing installed. */
async function isUnittest(folder: ProjectFolder): Promise<boolean> {
  const files = folder.files.filter((path) => TEST_FILE.test(path)).slice(0, MAX_TEST_FILES);
  if (await anyHas(folder, files, /^(?:async )?def test_|\bpytest\b/m)) return false;
  return anyHas(folder, files, /\bunittest\b/);
}

function unittest(folder: ProjectFolder): string {
  const start = ['tests', 'test'].find((name) => folder.files.some((path) => path.startsWith(`${name}/`)));
  const suffixed =
    folder.files.some((path) => /_test\.py$/.test(path)) && !folder.files.some((path) => /(^|\/)test_/.test(path));
  const from = start === undefined ? '' : ` -s ${start}${folder.has(`${start}/__init__.py`) ? ' -t .' : ''}`;
  return `python3 -m unittest discover${from}${suffixed ? " -p '*_test.py'" : ''}`;
}

/** A `src` layout is not importable from the root, unless it is installed or configured. */
function pathOf({ files }: ProjectFolder, { text }: PythonManifest): string {
  const isSrc = files.some((path) => /^src\/(?:[A-Za-z_]\w*\/__init__|[A-Za-z_]\w*)\.py$/.test(path));
  return isSrc && !/^\s*pythonpath\s*=/m.test(text) ? 'PYTHONPATH=src ' : '';
}

/**
 * Installs into `.venv`, whatever the tool, so that one test command serves all of them. The folder says itself that git
 * ignores it. Null where nothing is declared: then the interpreter is taken as it is.
 */
function setupOf(folder: ProjectFolder, manifest: PythonManifest, runner: readonly string[]): string | null {
  const { extras, requirements, dependencies, files, isPackage, text } = manifest;
  if (folder.has('uv.lock')) return ['uv sync', ...extras.map((name) => `--extra ${name}`)].join(' ');
  if (folder.has('poetry.lock') || /^\[tool\.poetry\]/m.test(text)) {
    return 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction';
  }
  if (folder.has('Pipfile')) {
    return `PIPENV_VENV_IN_PROJECT=1 pipenv ${folder.has('Pipfile.lock') ? 'sync --dev' : 'install --dev --skip-lock'}`;
  }
  if (folder.has('pdm.lock')) return 'pdm sync --dev';
  const own = isPackage ? [extras.length === 0 ? '-e .' : `-e '.[${extras.join(',')}]'`] : dependencies.map(quoted);
  const requested = [...files.map((file) => `-r ${file}`), ...own, ...requirements.map(quoted)];
  if (requested.length === 0) return null;
  const missing = runner.filter((name) => !requirements.includes(name));
  return `python3 -m venv .venv && echo '*' > .venv/.gitignore && .venv/bin/pip install --quiet ${[...requested, ...missing].join(' ')}`;
}

function quoted(requirement: string): string {
  return /^[\w.-]+$/.test(requirement) ? requirement : `'${requirement}'`;
}

async function anyHas(folder: ProjectFolder, paths: readonly string[], pattern: RegExp): Promise<boolean> {
  for (const path of paths) if (pattern.test((await folder.read(path)) ?? '')) return true;
  return false;
}
