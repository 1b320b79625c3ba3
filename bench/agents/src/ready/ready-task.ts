/**
 * A commit of a public repository of which a task can be made, and the commands for it. It holds nothing of the repository
 * itself: its files, its message and its tests are fetched when the task is made.
 */
export interface ReadyTask {
  /** `owner/name` at GitHub. */
  readonly repository: string;
  /** The whole id: a short one may come to name two commits. */
  readonly commit: string;
  readonly setupCommand: string;
  readonly testCommand: string;
  readonly verifyCommand: string;
  /** What the setup command reaches. */
  readonly allowHosts: readonly string[];
  readonly image: string;
  /** The day on which its tests failed at the base and passed with the solution; null: the commands are untried. */
  readonly tried: string | null;
}

type Commit = Pick<ReadyTask, 'repository' | 'commit' | 'tried'>;

/** A repository of JavaScript or TypeScript. Packages' own scripts do not run: no test here needs one. */
export function npmTask(
  commit: Commit,
  {
    install = 'install',
    test,
    verify,
  }: { readonly install?: 'ci' | 'install'; readonly test: string; readonly verify: string },
): ReadyTask {
  return {
    ...commit,
    setupCommand: `npm ${install} --ignore-scripts --no-audit --no-fund${install === 'ci' ? '' : ' --no-package-lock'}`,
    testCommand: test,
    verifyCommand: verify,
    allowHosts: ['registry.npmjs.org'],
    image: 'node:24-bookworm',
  };
}

/**
 * A repository of Python. Packages that the machine has are not installed again, so most need no network.
 *
 * @param modules what the tests import, as a module and, where that differs, `module=package`
 */
export function pythonTask(
  commit: Commit,
  { modules, path }: { readonly modules: readonly string[]; readonly path: 'src' | '.' },
): ReadyTask {
  const names = modules.map((module) => module.split('='));
  const imports = names.map(([module]) => module).join(', ');
  const packages = names.map((name) => name.at(-1)).join(' ');
  const pytest = (flags: string) => `PYTHONPATH=${path} .venv/bin/python${flags} -m pytest`;
  return {
    ...commit,
    setupCommand: [
      "python3 -m venv --system-site-packages .venv && echo '*' > .venv/.gitignore",
      `{ .venv/bin/python -c 'import ${imports}' || .venv/bin/pip install ${packages}; }`,
    ].join(' && '),
    testCommand: `${pytest('')} tests`,
    // -P: a pytest.py of the tree is not the runner.
    verifyCommand: `${pytest(' -P')} {files}`,
    allowHosts: ['pypi.org', 'files.pythonhosted.org'],
    image: 'python:3.13-bookworm',
  };
}

/** Commands have an empty home each, so what a tool downloads is kept in the tree. */
const KEPT = '.sluice';
const makeKept = `mkdir -p ${KEPT} && echo '*' > ${KEPT}/.gitignore`;

/** A repository of Go. @param folder the one whose tests decide, such as `./middleware` */
export function goTask(commit: Commit, folder: string): ReadyTask {
  const go = `GOMODCACHE="$PWD/${KEPT}/go" GOFLAGS=-mod=readonly go`;
  return {
    ...commit,
    setupCommand: `${makeKept} && ${go} mod download -modcacherw`,
    testCommand: `${go} test ./...`,
    verifyCommand: `${go} test ${folder}`,
    allowHosts: ['proxy.golang.org', 'sum.golang.org'],
    image: 'golang:1.25-bookworm',
  };
}

/** A repository of Rust. @param target the tests that decide, as flags of `cargo test` */
export function rustTask(commit: Commit, target: string): ReadyTask {
  const cargo = `CARGO_HOME="$PWD/${KEPT}/cargo" cargo`;
  return {
    ...commit,
    setupCommand: `${makeKept} && ${cargo} fetch`,
    testCommand: `${cargo} test --offline --no-fail-fast`,
    verifyCommand: `${cargo} test --offline ${target}`,
    allowHosts: ['index.crates.io', 'static.crates.io'],
    image: 'rust:1-bookworm',
  };
}

/**
 * A repository of Java with Maven. What runs the tests is fetched when they run, so they run once while there is a network.
 *
 * @param classes the tests that decide, with commas
 */
export function mavenTask(commit: Commit, classes: string, flags = ''): ReadyTask {
  const mvn = (offline: string) => `mvn -B${offline} "-Dmaven.repo.local=$PWD/${KEPT}/m2"${flags} test`;
  const chosen = `-Dtest=${classes} -Dsurefire.failIfNoSpecifiedTests=false`;
  return {
    ...commit,
    setupCommand: `${makeKept} && ${mvn('')} ${chosen} -Dmaven.test.failure.ignore=true`,
    testCommand: mvn(' -o'),
    verifyCommand: `${mvn(' -o')} ${chosen}`,
    allowHosts: ['repo.maven.apache.org'],
    image: 'maven:3-eclipse-temurin-21',
  };
}
