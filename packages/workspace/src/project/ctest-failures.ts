/** Reads `ctest`: the list under `The following tests FAILED:`, as `  3 - sums (Failed)`. */
export function ctestFailures(lines: readonly string[]): string[] {
  const names: string[] = [];
  let inList = false;
  for (const line of lines) {
    if (line === 'The following tests FAILED:') inList = true;
    const name = inList ? /^\s+\d+ - (\S.*) \([^()]+\)(?:\s.*)?$/.exec(line)?.[1] : undefined;
    if (name !== undefined) names.push(name.trim());
    else if (line !== 'The following tests FAILED:') inList = false;
  }
  return names;
}
