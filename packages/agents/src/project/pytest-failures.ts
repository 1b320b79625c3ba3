const ENTRY = /^(FAILED|ERROR|SUBFAILED(?:[([].*?[)\]])?) ([^[]+?(?:\[.*?\])?)(?: - .*)?$/;

/** Reads pytest's short test summary. */
export function pytestFailures(lines: readonly string[]): string[] {
  const names: string[] = [];
  let inSummary = false;
  for (const line of lines) {
    if (/^=+ short test summary info =+$/.test(line)) inSummary = true;
    else if (/^[=!]{5,}/.test(line)) inSummary = false;
    const entry = inSummary ? ENTRY.exec(line) : null;
    if (entry === null) continue;
    const [, outcome = '', name = ''] = entry;
    names.push(outcome.startsWith('SUBFAILED') ? `${name} ${outcome.slice('SUBFAILED'.length)}` : name);
  }
  return names;
}
