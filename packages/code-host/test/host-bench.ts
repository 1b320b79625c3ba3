import type { CodeHost, CodeHostCall } from '@sluice/core/code-host';
import { type FakeCodeHost, scratchOrigin, startCodeHost } from '@sluice/fake-code-host';
import { localHosts, type SettableClock, settableClock } from '@sluice/testing';
import type { Pace } from '../src/client/pace.ts';
import { createCodeHost } from '../src/github/create-code-host.ts';
import { quickPace } from './scripted-host.ts';

/** A code host on loopback with `ada/engine` in it, and the adapter in front of it. */
export interface HostBench extends AsyncDisposable {
  readonly there: FakeCodeHost;
  readonly clock: SettableClock;
  readonly host: CodeHost;
  readonly ada: CodeHostCall;
  /** The requests and their statuses, such as `GET /user 200`, since the last call. */
  asked(): string[];
  callAs(login: string): CodeHostCall;
}

export async function openHostBench(pace: Pace = quickPace): Promise<HostBench> {
  const clock = settableClock();
  using origin = scratchOrigin();
  const there = await startCodeHost({ clock });
  there.addUser({ login: 'ada' });
  await there.addRepo({ fullName: 'ada/engine', from: origin.path });
  const options = {
    webUrl: new URL(there.url),
    apiUrl: new URL(there.apiUrl),
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
  };
  const host = createCodeHost({ ...options, pace });
  const callAs = (login: string) => ({ token: there.issueToken(login), signal: new AbortController().signal });
  let told = 0;
  return {
    there,
    clock,
    host,
    ada: callAs('ada'),
    callAs,
    asked: () => {
      const since = there.requests.slice(told);
      told = there.requests.length;
      return since.map(({ method, path, status }) => `${method} ${path} ${status}`);
    },
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  };
}
