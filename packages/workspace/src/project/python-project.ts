import type { DetectedCommands } from '@sluice/core';
import type { ProjectFolder } from './project-folder.ts';

const TEST_FILE = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;
const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini'];

/**
 * A project that pytest runs: configured for it, or Python with test files. There is no setup: what is installed lies
 * outside the working tree (in the interpreter that the sandbox shows) or is the repository's own affair.
 */
export async function pythonProject(folder: ProjectFolder): Promise<DetectedCommands | null> {
  const isPytest =
    folder.has('pytest.ini') ||
    folder.has('conftest.py') ||
    /^\[tool\.pytest\b/m.test((await folder.read('pyproject.toml')) ?? '') ||
    /^\[tool:pytest\]/m.test((await folder.read('setup.cfg')) ?? '') ||
    /^\[pytest\]/m.test((await folder.read('tox.ini')) ?? '') ||
    hasTestFiles(folder);
  // As a module, so that the project's own packages are importable without being installed.
  return isPytest ? { setup: null, test: 'python3 -m pytest' } : null;
}

function hasTestFiles({ files, has }: ProjectFolder): boolean {
  const isProject = PROJECT_FILES.some((file) => has(file));
  return files.some((path) => TEST_FILE.test(path) && (isProject || /^(tests?\/)?[^/]+$/.test(path)));
}
