/**
 * The whole environment of a command: nothing of the service's own. Git looks at who owns a repository, and here the git
 * directory is the service's and the tree the command's, so it is told that this is meant; locks it could not write anyway.
 */
export function commandEnvironment(
  path: string,
  home: string,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    HOME: home,
    PATH: path,
    LANG: 'C.UTF-8',
    CI: 'true',
    TERM: 'dumb',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    ...more,
  };
}
