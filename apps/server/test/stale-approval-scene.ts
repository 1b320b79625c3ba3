import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byRole, call, planAnswer } from './model-answers.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';

export const issue = { title: 'The value is broken', body: 'The check says so. Mend it.' };

export const makeRepo = () =>
  makeScratchRepo({
    'value.txt': 'broken\n',
    'other.txt': 'as it was\n',
    Makefile: 'test:\n\tsh ./check.sh\n',
    'check.sh': "grep -q fixed value.txt || { echo 'not ok 1 - value'; exit 1; }\necho 'ok 1 - value'\n",
  });

export function commit(repo: ScratchRepo, file: string, text: string): string {
  writeFileSync(join(repo.path, file), text);
  repo.git('commit', '-q', '-a', '-m', `change ${file}`);
  return repo.git('rev-parse', 'HEAD');
}

export const script = byRole({
  planner: ({ turn, texts }) =>
    turn === 0
      ? { calls: [call('read_file', { path: 'value.txt' })] }
      : planAnswer(['value.txt'], texts.join('\n').includes('<base_moved>') ? 'Anew, on what moved.' : 'Mend it.'),
});
