import type { CodeHost, CodeHostCall } from '@sluice/core';
import { type FakeCodeHost, scratchOrigin, startCodeHost } from '@sluice/fake-code-host';
import { type SettableClock, settableClock } from '@sluice/testing';
import { createCodeHost } from '../create-code-host.ts';
import type { Pace } from '../pace.ts';
import { quickPace } from './scripted-host.ts';

/** A code host on loopback with `ada/engine` in it, and the adapter in front of it. */
export interface HostBench extends AsyncDisposable {
  readonly there: FakeCodeHost;
  readonly clock: SettableClock;
  readonly host: CodeHost;
  readonly ada: CodeHostCall;
  /** `GET /user` and what it was answered, since the last time this was asked. */
  asked(): string[];
  callAs(login: string): CodeHostCall;
}

export async function openHostBench(pace: Pace = quickPace): Promise<HostBench> {
  const clock = settableClock();
  using origin = scratchOrigin();
  const there = await startCodeHost({ clock });
  there.addUser({ login: 'ada' });
  await there.addRepo({ fullName: 'ada/engine', from: origin.path });
  const options = { webUrl: new URL(there.url), apiUrl: new URL(there.apiUrl), clock, userAgent: 'sluice-test' };
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
