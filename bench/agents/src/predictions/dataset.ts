import * as z from 'zod';
import { parseJson, readText } from '../usage/read-json.ts';

/**
 * The fields of a row that an agent may see, as both datasets name them: SWE-bench Multilingual
 * (https://www.swebench.com/multilingual.html, the columns of SWE-bench) and SWE-rebench
 * (https://huggingface.co/datasets/nebius/SWE-rebench, the same with `install_config`). The other columns are the answer
 * (`patch`, `test_patch`, `FAIL_TO_PASS`, `PASS_TO_PASS`) or say too much (`hints_text`) and are not read.
 */
const row = z.object({
  /** It names a folder. */
  instance_id: z.string().regex(/^\w[\w.-]*$/),
  /** `owner/name`. */
  repo: z.string().regex(/^[\w-][\w.-]*\/[\w-][\w.-]*$/),
  base_commit: z.string().regex(/^[0-9a-f]{7,40}$/),
  problem_statement: z.string(),
  install_config: z.object({ test_cmd: z.string().nullish() }).nullish().catch(null),
});

/** An instance of a dataset. */
export interface Instance {
  readonly id: string;
  readonly repo: string;
  readonly baseCommit: string;
  readonly problem: string;
  readonly testCommand: string | null;
}

/** Reads a dataset from a file with one JSON object in each line. @throws UsageError that names the line */
export function readDataset(file: string): Instance[] {
  const lines = readText(file).split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const found = parseJson(line, row, { file, line: at + 1 });
    const { instance_id, repo, base_commit, problem_statement, install_config } = found;
    return [
      {
        id: instance_id,
        repo,
        baseCommit: base_commit,
        problem: problem_statement,
        testCommand: install_config?.test_cmd ?? null,
      },
    ];
  });
}
