/** Whether a person is there to be asked: input is theirs, and talk goes to their screen. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
