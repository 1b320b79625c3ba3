import { gitIn } from './bare-repository.ts';
import type { HostRepository } from './host-state.ts';

interface CommitPerson {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/** A commit as git has it. */
export interface HostCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: CommitPerson;
  readonly committer: CommitPerson;
  readonly message: string;
}

const FORMAT = '--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x1e';

/** The commits of a range or a branch, newest first. */
export async function commitsIn(repo: HostRepository, ...args: readonly string[]): Promise<HostCommit[]> {
  const output = await gitIn(repo.path, ['log', FORMAT, ...args, '--']);
  const records = output.split('\x1e').map((record) => record.trim());
  return records.filter((record) => record !== '').map(parsed);
}

function parsed(record: string): HostCommit {
  const [sha = '', tree = '', parents = '', an = '', ae = '', aI = '', cn = '', ce = '', cI = '', message = ''] =
    record.split('\0');
  return {
    sha,
    tree,
    parents: parents === '' ? [] : parents.split(' '),
    author: { name: an, email: ae, date: utc(aI) },
    committer: { name: cn, email: ce, date: utc(cI) },
    message: message.trimEnd(),
  };
}

function utc(date: string): string {
  return new Date(date).toISOString().replace(/\.\d+Z$/, 'Z');
}
