import { frugal } from './git-limits.ts';

/** One setting, passed to git by environment: nothing of it is on disk or in an argument. */
export type GitConfigPair = readonly [key: string, value: string];

/** What every call has, whatever a configuration file of the host, the cache or the tree says. */
const hardened: readonly GitConfigPair[] = [
  // Nothing that a repository brings is run.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['core.sshCommand', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  // git enters a nested repository to see whether it is dirty, with that repository's own configuration.
  ['diff.ignoreSubmodules', 'all'],
  // No transport but those that the call asks for, and no redirect away from the address that was checked.
  ['protocol.allow', 'never'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  ['transfer.fsckObjects', 'true'],
  // Harmless flaws of old clients, found in the history of many public repositories.
  ['fetch.fsck.zeroPaddedFilemode', 'ignore'],
  ['fetch.fsck.badTimezone', 'ignore'],
  ['fetch.fsck.missingSpaceBeforeDate', 'ignore'],
  // `.GIT` and `git~1` are `.git` on other systems; a branch made here may be checked out there.
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  // Automatic maintenance would race with the calls of other issues on the same cache.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['user.useConfigOnly', 'true'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['core.autocrlf', 'false'],
  ['core.quotePath', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.splitIndex', 'false'],
  // One file for each fetch, which a limit on the size of files then bounds.
  ['fetch.unpackLimit', '1'],
  ...frugal,
  ['init.defaultBranch', 'main'],
  ['advice.detachedHead', 'false'],
];

/**
 * The whole environment of a git process: nothing is inherited.
 *
 * @param searchPath where `git` is looked for, as in `PATH`
 * @param config settings of this call, after (so over) the hardened ones
 */
export function gitEnvironment(searchPath: string, config: readonly GitConfigPair[]): Record<string, string> {
  const env: Record<string, string> = {
    PATH: searchPath,
    LC_ALL: 'C',
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
  };
  const pairs = [...hardened, ...config];
  env.GIT_CONFIG_COUNT = String(pairs.length);
  for (const [index, [key, value]] of pairs.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
