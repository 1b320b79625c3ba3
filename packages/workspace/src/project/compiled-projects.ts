import { type Detector, keptInTree } from './detector.ts';
import type { ProjectFolder } from './project-folder.ts';

const MAX_MANIFESTS = 50;
const DEPENDENCIES = /^\[(?:target\..+\.|workspace\.)?(?:dev-|build-)?dependencies\]$/;

/** All targets are run though one fails: names that stop at the first failing one would hide new failures behind it. */
export const cargoProject: Detector = async (folder) => {
  if (!folder.has('Cargo.toml')) return null;
  const root = (await folder.read('Cargo.toml')) ?? '';
  const test = `cargo test --no-fail-fast${/^\[workspace\]/m.test(root) ? ' --workspace' : ''}`;
  if (folder.has('.cargo/config.toml') || !(await hasCrates(folder))) return { setup: null, test };
  return keptInTree({ CARGO_HOME: 'cargo' }, { setup: ['cargo fetch'], test });
};

/** Whether a crate of the folder depends on one that cargo has to fetch. */
async function hasCrates(folder: ProjectFolder): Promise<boolean> {
  const manifests = folder.files.filter((path) => /(^|\/)Cargo\.toml$/.test(path)).slice(0, MAX_MANIFESTS);
  for (const path of manifests) {
    let inside = false;
    for (const line of ((await folder.read(path)) ?? '').split('\n').map((one) => one.trim())) {
      if (/^\[dependencies\../.test(line)) return true;
      if (line.startsWith('[')) inside = DEPENDENCIES.test(line);
      else if (inside && /^[\w-]+\s*=/.test(line) && !/\bpath\s*=/.test(line)) return true;
    }
  }
  return false;
}

/** The folder with modules is made writable, so that it can be removed with the tree. */
export const goProject: Detector = async (folder) => {
  if (!folder.has('go.mod')) return null;
  const test = 'go test ./...';
  const requires = /^\s*require\b/m.test((await folder.read('go.mod')) ?? '');
  if (!requires || folder.has('vendor/modules.txt')) return { setup: null, test };
  return keptInTree({ GOMODCACHE: 'go' }, { setup: ['go mod download -modcacherw'], test });
};

export const dotnetProject: Detector = async (folder) => {
  const solution = folder.files.some((path) => /^[^/]+\.slnx?$/.test(path));
  if (!solution && !(await isTestProject(folder))) return null;
  return keptInTree({ NUGET_PACKAGES: 'nuget' }, { setup: ['dotnet restore'], test: 'dotnet test --no-restore' });
};

async function isTestProject(folder: ProjectFolder): Promise<boolean> {
  const project = folder.files.find((path) => /^[^/]+\.(?:cs|fs|vb)proj$/.test(path));
  return project !== undefined && ((await folder.read(project)) ?? '').includes('Microsoft.NET.Test.Sdk');
}

export const swiftProject: Detector = async (folder) => {
  if (!folder.has('Package.swift') || !folder.files.some((path) => path.startsWith('Tests/'))) return null;
  const fetches = /\.package\(\s*(?:url|id|name)\s*:/.test((await folder.read('Package.swift')) ?? '');
  return { setup: fetches ? 'swift package resolve' : null, test: 'swift test' };
};

export const zigProject: Detector = async (folder) => {
  const hasStep = /\.step\(\s*"test"/.test((await folder.read('build.zig')) ?? '');
  if (!hasStep) return null;
  const test = 'zig build test';
  const fetches = /\.url\s*=/.test((await folder.read('build.zig.zon')) ?? '');
  return fetches
    ? keptInTree({ ZIG_GLOBAL_CACHE_DIR: 'zig' }, { setup: ['zig build --fetch'], test })
    : { setup: null, test };
};

export const haskellProject: Detector = async (folder) => {
  if (folder.has('stack.yaml')) {
    const setup = ['stack build --test --only-dependencies'];
    return keptInTree({ STACK_ROOT: 'stack' }, { setup, test: 'stack test' });
  }
  const isCabal = folder.has('cabal.project') || folder.files.some((path) => /^[^/]+\.cabal$/.test(path));
  if (!isCabal) return null;
  const setup = ['cabal update', 'cabal build all --enable-tests --only-dependencies'];
  return keptInTree({ CABAL_DIR: 'cabal' }, { setup, test: 'cabal test all' });
};

/** Tests of C and C++ are built by the test command, because a change has to be built too. */
export const nativeProject: Detector = async (folder) => {
  const cmake = (await folder.read('CMakeLists.txt')) ?? '';
  if (/\b(?:enable_testing|add_test|include\s*\(\s*CTest|\w+_discover_tests)\b/i.test(cmake)) {
    const test = 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure';
    return { setup: null, test };
  }
  const tests = folder.files.filter((path) => /(^|\/)meson\.build$/.test(path)).slice(0, MAX_MANIFESTS);
  if (!folder.has('meson.build')) return null;
  for (const path of tests) {
    if (/^\s*test\s*\(/m.test((await folder.read(path)) ?? '')) {
      return { setup: null, test: 'meson setup build && meson test -C build --print-errorlogs' };
    }
  }
  return null;
};

export const bazelProject: Detector = async ({ has }) => {
  const isBazel = ['MODULE.bazel', 'WORKSPACE', 'WORKSPACE.bazel'].some((file) => has(file));
  return isBazel ? { setup: null, test: 'bazel test //...' } : null;
};

/**
 * All modules are tested though one fails, as with every tool that can. Surefire fetches what runs the tests when it runs
 * them, and no goal does that before: so the tests run once while the network is there, whatever comes of them.
 */
export const mavenProject: Detector = async ({ has }) => {
  if (!has('pom.xml')) return null;
  const test = `${has('mvnw') ? 'sh ./mvnw' : 'mvn'} -B -fae test`;
  return keptInTree(
    { ...(has('mvnw') && { MAVEN_USER_HOME: 'maven' }), MAVEN_OPTS: '-Dmaven.repo.local=m2' },
    { setup: [`${test} -Dmaven.test.failure.ignore=true`], test },
  );
};

export const gradleProject: Detector = async ({ has }) => {
  const scripts = ['build.gradle', 'settings.gradle'].flatMap((name) => [name, `${name}.kts`]);
  if (!scripts.some((name) => has(name))) return null;
  const gradle = has('gradlew') ? 'sh ./gradlew' : 'gradle';
  return keptInTree(
    { GRADLE_USER_HOME: 'gradle' },
    { setup: [`${gradle} testClasses`], test: `${gradle} test --continue` },
  );
};

export const sbtProject: Detector = async ({ has }) =>
  has('build.sbt') ? { setup: null, test: 'sbt -batch test' } : null;
