import { createWorkspaces } from '../workspaces.ts';
import { requester, workspacesOptions } from './workspace-scratch.ts';

// Runs as a separate process, to be killed in the middle: prepares, changes, keeps, commits, restores and resets, and says where it is.
const [root = '', url = '', issueId = '', repoId = ''] = process.argv.slice(2);
const request = requester(url)();
const signal = new AbortController().signal;
process.stdout.write('begun\n');
const workspace = await createWorkspaces(workspacesOptions(root)).prepare({
  ...request,
  issueId: issueId as typeof request.issueId,
  repo: { ...request.repo, repoId: repoId as typeof request.repo.repoId },
  branch: `sluice/${issueId.slice(-8)}`,
});
process.stdout.write('prepared\n');
await workspace.files.write('new.txt', 'new\n');
const kept = await workspace.checkpoint(signal);
process.stdout.write('kept\n');
await workspace.commit({ message: 'change', signal });
process.stdout.write('committed\n');
if (kept !== null) await workspace.restore(kept, signal);
process.stdout.write('restored\n');
await workspace.reset(signal);
process.stdout.write('done\n');
