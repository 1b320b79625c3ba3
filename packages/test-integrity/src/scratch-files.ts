import type { ChangedFile, Finding } from '@sluice/core/change';

const LEFTOVER =
  /(?:^|\/)(?:scratch[^/]*|nohup\.out|core(?:\.\d+)?|\.DS_Store|npm-debug\.log|[^/]+\.(?:tmp|temp|orig|rej|bak|swp|log|pyc)|[^/]+~)$/i;

/** New files that look like leftovers of an editor, a patch or an experiment, and that the plan does not name. */
export function scratchFiles(files: readonly ChangedFile[], planned: ReadonlySet<string>): Finding[] {
  return files
    .filter(({ path, before, after }) => before === null && after !== null && LEFTOVER.test(path) && !planned.has(path))
    .map(({ path }) => ({
      kind: 'scratch_file',
      path,
      line: null,
      detail: 'The new file looks like a leftover, and the plan does not name it.',
    }));
}
