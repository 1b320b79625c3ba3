/**
 * The complete environment of a command, with nothing from the service's. `safe.directory` is set because git refuses a
 * repository with mixed owners: the git directory belongs to the service and the tree to the command's user. Optional locks
 * are off because the command cannot write them.
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
