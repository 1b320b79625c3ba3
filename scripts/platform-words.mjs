/**
 * The words about a platform before anything is installed. Sluice runs on Linux; on macOS and in WSL, which is Linux,
 * it is not tested.
 *
 * @param {string} platform as `process.platform` names it
 * @returns {{ refusal: string | null, noSandbox: string | null }} `refusal`: nothing runs here; `noSandbox`: commands
 * of repositories do not
 */
export function platformWords(platform) {
  if (platform === 'linux') return { refusal: null, noSandbox: null };
  if (platform === 'win32') {
    return {
      refusal: 'Sluice does not run on Windows itself. Install WSL 2 ("wsl --install"), and clone and run it in there.',
      noSandbox: null,
    };
  }
  return {
    refusal: null,
    noSandbox: `there is no sandbox on ${platform === 'darwin' ? 'macOS' : platform}, so commands of a repository are refused without --sandbox none (SANDBOX=none). Work with a server, and all other commands, need none. This system is not tested.`,
  };
}
