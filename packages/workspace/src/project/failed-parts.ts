/** Lines by which a part of a command says that it failed: of the commands that are detected, and of npm's workspaces. */
const LINES = [
  /^The tests of (\S{1,200}) ended with exit code \d+$/,
  /^npm (?:error|ERR!) workspace (\S{1,200})@[^@]*$/,
];

/** A command for several parts, all of which run though one fails, and each of which says so. */
export function joinedTests(parts: readonly { readonly name: string; readonly command: string }[]): string {
  const ends = 'failed=0; ended() { failed=$?; echo "The tests of $1 ended with exit code $failed"; }; ';
  return `${ends}${parts.map(({ name, command }) => `${command} || ended ${name}; `).join('')}exit $failed`;
}

/** The parts of a command that failed, in alphabetical order. */
export function failedParts(lines: readonly string[]): string[] {
  const found = lines.flatMap((line) => LINES.flatMap((pattern) => pattern.exec(line)?.[1] ?? []));
  return [...new Set(found)].sort();
}
