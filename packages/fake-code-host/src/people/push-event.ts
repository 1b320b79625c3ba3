import { type HostRepository, type HostState, nameOf } from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';

/** The `push` event, which has no action. */
export function tellOfPush(
  host: HostState,
  repo: HostRepository,
  push: { by: HostUser; branch: string; commit: string },
): void {
  const ref = `refs/heads/${push.branch}`;
  const compare = `${host.webUrl}/${nameOf(repo)}/commits/${push.branch}`;
  host.emit({
    repo,
    name: 'push',
    action: null,
    sender: push.by,
    payload: { ref, after: push.commit, compare, pusher: { name: push.by.login, email: push.by.email } },
  });
}
