import type { HostState } from '../state/host-state.ts';
import { lineCommentWire, type PullSubject, pullWire } from '../wire/wire-pull.ts';
import type { HostThread } from '../wire/wire-thread.ts';
import { type ActPlace, tell } from './subject-acts.ts';

type PullPlace = ActPlace & { readonly subject: PullSubject };

export function resolveThreadOf(host: HostState, place: PullPlace, thread: HostThread): void {
  const { pull } = place.subject;
  const [first] = thread.comments;
  if (pull.resolved.has(first.id)) return;
  pull.resolved.add(first.id);
  tellOfThread(host, place, { thread, action: 'resolved' });
}

export function reopenThread(host: HostState, place: PullPlace, thread: HostThread): void {
  if (place.subject.pull.resolved.delete(thread.comments[0].id)) {
    tellOfThread(host, place, { thread, action: 'unresolved' });
  }
}

function tellOfThread(
  host: HostState,
  place: PullPlace,
  { thread, action }: { thread: HostThread; action: 'resolved' | 'unresolved' },
): void {
  const comments = thread.comments.map((comment) => lineCommentWire(host, place, comment));
  const payload = {
    pull_request: pullWire(host, place.repo, place.subject),
    thread: { node_id: thread.id, comments },
  };
  tell(host, place, { name: 'pull_request_review_thread', action, payload });
}
