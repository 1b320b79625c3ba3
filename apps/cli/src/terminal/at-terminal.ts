/** Whether the command can ask questions: stdin and stderr are both a terminal. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
