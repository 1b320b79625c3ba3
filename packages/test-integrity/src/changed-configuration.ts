import type { ChangedFile, Finding } from '@sluice/core/change';
import { isTestFile } from './belongs-to-tests.ts';
import { isCheckConfiguration } from './is-check-configuration.ts';
import { readSelection } from './read-selection.ts';

/** Configurations of test runners by which fewer tests run. A new one stands in the place of the runner's own choice. */
export function changedConfiguration(files: readonly ChangedFile[]): Finding[] {
  const judged = files
    .filter(({ path }) => RUNNER.test(path) && isCheckConfiguration(path))
    .map(({ path, before, after }) => ({
      path,
      isGone: after === null,
      old: readSelection(path, before ?? ''),
      now: readSelection(path, after ?? ''),
    }));
  // What goes from one configuration to another is neither new nor gone.
  const had = new Set(judged.flatMap(({ old }) => old.excluded));
  const left = new Set(judged.flatMap(({ now }) => now.included));
  const strict = new Set(judged.flatMap(({ now }) => now.strict));
  return judged.flatMap(({ path, old, now, isGone }): Finding[] => {
    const [off] = newIn(now.off, old.off);
    const [skip] = newIn(now.skips, old.skips);
    const excluded = now.excluded.filter((value) => !had.has(value));
    const fresh = now.included.filter((value) => !old.included.includes(value));
    const dropped = old.included.filter((value) => !left.has(value) && !isFollowed(value, fresh, files));
    const narrow = old.included.length > 0 ? [] : now.narrow;
    // With a configuration its runner may go.
    const [lenient] = isGone ? [] : old.strict.filter((name) => !strict.has(name));
    const details = [
      ...(lenient === undefined ? [] : [`\`${lenient}\` is off now: a run may leave tests out and pass.`]),
      ...(off === undefined ? [] : [`\`${off}\` is new: tests are left out, or may be missing.`]),
      ...(skip === undefined ? [] : [`A hook for all tests leaves some out, or lets them pass: \`${skip}\`.`]),
      ...(excluded.length === 0 ? [] : [`Tests are left out: \`${excluded.join('`, `')}\`.`]),
      ...(narrow.length === 0 ? [] : [`Tests are looked for only in \`${narrow.join('`, `')}\`.`]),
      ...(dropped.length === 0 ? [] : [`Tests are no longer looked for in \`${dropped.join('`, `')}\`.`]),
    ];
    return details.map((detail) => ({ kind: 'test_config_changed', path, line: null, detail }));
  });
}

/** Whether the tests of a folder moved, as far as the change shows it, to one that is looked through instead. */
function isFollowed(pattern: string, fresh: readonly string[], files: readonly ChangedFile[]): boolean {
  const folder = folderOf(pattern);
  const tests = files.filter(({ path }) => isTestFile(path));
  const inside = tests.filter(({ path }) => path.startsWith(folder));
  if (folder === '' || inside.length === 0 || inside.some(({ after }) => after !== null)) return false;
  return fresh
    .map(folderOf)
    .filter((other) => other !== '' && !other.startsWith(folder) && !folder.startsWith(other))
    .some(
      (other) => tests.filter(({ path, before }) => before === null && path.startsWith(other)).length >= inside.length,
    );
}

/** The folder before the first sign of a pattern: `test/` of `./test/**` and of `test`. */
function folderOf(pattern: string): string {
  const [, start = '', sign = ''] = /^(?:\.\/|\/|<rootDir>\/)?([\w./-]*)(.?)/.exec(pattern) ?? [];
  const folder = sign === '' ? start.replace(/\/?$/, '/') : start.slice(0, start.lastIndexOf('/') + 1);
  return folder === '/' ? '' : folder;
}

/** The entries that occur more often than before. */
function newIn(now: readonly string[], before: readonly string[]): string[] {
  const count = (all: readonly string[], one: string) => all.filter((other) => other === one).length;
  return [...new Set(now)].filter((one) => count(now, one) > count(before, one));
}

/** Files in which `exclude` is about tests: in `tsconfig.json` or a linter's configuration it is not. */
const RUNNER =
  /(?:^|\/)(?:package\.json|(?:jest|vitest|vite|playwright|cypress|karma|ava|mocha|wdio|web-test-runner|tap|jasmine)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)|\.mocharc\.\w+|\.taprc|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|conftest\.py|(?:spec|rails|test)_helper\.rb|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|phpunit\.xml(?:\.dist)?)$/;
