import type { AgentRunner } from '@sluice/core/agent';
import { systemTimers, type Timers, timersOver } from '@sluice/core/async';
import type { CodeHost } from '@sluice/core/code-host';
import type { CodeIndex } from '@sluice/core/code-search';
import type { Workspace } from '@sluice/core/workspace';

/** The point at which a process stands still: before or after its `at`th call of any port, from 1. */
export interface FreezePoint {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export type FreezableProcess = ReturnType<typeof freezableProcess>;

/** Calls of timers: how many there are depends on the machine, so they are not counted. */
const UNCOUNTED =
  /^(maintenance\..*|inbox\.claim|runs\.(claimable|nextDueInMs|needingWorkspace|expiredGates|gatesHoldingSlots|freeGateSlots|leased)|issues\.queueWaiting|workspaces\.(list|clones|isSpaceLow))$/;

/**
 * A worker's process as a machine sees it: it calls ports, has timers, and can stand still. While it does, none of its calls
 * goes out, no result comes in and none of its timers fires; the world around it goes on.
 *
 * @param point null: it never stands still, and only counts its calls
 */
export function freezableProcess(point: FreezePoint | null) {
  const calls: string[] = [];
  const lateEffects: string[] = [];
  const woken = Promise.withResolvers<void>();
  let isFrozen = false;
  let isHolder = true;
  let isIdle = true;
  const clock = freezableTimers(() => isFrozen);

  async function freezeAt(number: number, when: FreezePoint['when']): Promise<void> {
    if (point?.at === number && point.when === when) isFrozen = true;
    if (isFrozen) await woken.promise;
  }

  async function call<T>(label: string, act: () => T | Promise<T>): Promise<T> {
    const isCounted = !UNCOUNTED.test(label);
    if (isFrozen) await woken.promise;
    const number = isCounted ? calls.push(label) : 0;
    if (label === 'runs.claim') isIdle = false;
    await freezeAt(number, 'before');
    let result: T;
    try {
      result = await act();
    } finally {
      await freezeAt(number, 'after');
    }
    if (label === 'runs.claim') isIdle = result === null;
    if (label === 'runs.release') isIdle = true;
    return result;
  }

  /** Notes an effect outside the database. The store has the last word on who may have one. */
  function effect(what: string): void {
    if (!isHolder) lateEffects.push(what);
  }

  /** One outbound call. Its effect happens right after its check; without a check, it happened when the call is over. */
  async function outbound<T>(
    what: string,
    check: (() => Promise<void>) | undefined,
    send: (check: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    let isChecked = false;
    const result = await send(async () => {
      await check?.();
      isChecked = true;
      effect(what);
    });
    if (!isChecked) effect(`${what}, unchecked`);
    return result;
  }

  /** A port whose calls are this process's. */
  function wrap<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get(target, key, receiver) {
        const member: unknown = Reflect.get(target, key, receiver);
        if (name === 'tree' && key === 'files') return wrap('files', member as object);
        if (typeof member !== 'function' || key === 'readBlobs') return member;
        const label = `${name}.${String(key)}`;
        return async (...args: unknown[]) => {
          const value: unknown = await call(label, () => member.apply(target, args));
          return label === 'workspaces.prepare' ? wrap('tree', checkedTree(value as Workspace)) : value;
        };
      },
    });
  }

  function checkedTree(tree: Workspace): Workspace {
    return {
      ...tree,
      push: (head, signal, beforeWrite) => outbound('a push', beforeWrite, (check) => tree.push(head, signal, check)),
    };
  }

  return {
    /** Its calls so far, in order. */
    calls,
    /** The effects outside after it had ceased to be the holder. */
    lateEffects,
    timers: clock.timers,
    wrap,
    get isFrozen() {
      return isFrozen;
    },
    /** It executes no issue. */
    get isIdle() {
      return isIdle;
    },
    /** A code host as this process reaches it. */
    host: (host: CodeHost): CodeHost =>
      wrap('host', {
        ...host,
        openChangeRequest: (request, repo, draft) =>
          outbound('a pull request', request.beforeWrite, (beforeWrite) =>
            host.openChangeRequest({ ...request, beforeWrite }, repo, draft),
          ),
        putComment: (request, repo, comment) =>
          outbound('a comment', request.beforeWrite, (beforeWrite) =>
            host.putComment({ ...request, beforeWrite }, repo, comment),
          ),
      }),
    /** An index whose embeddings this process pays for. */
    codeIndex: (index: CodeIndex): CodeIndex =>
      wrap('code', {
        ...index,
        update: (workspace, signal, beforeCall) =>
          outbound('an embedding', beforeCall, (check) => index.update(workspace, signal, check)),
        search: (repoId, question, signal) =>
          outbound('an embedded question', question.beforeCall, (beforeCall) =>
            index.search(repoId, { ...question, beforeCall }, signal),
          ),
      }),
    /** Agents whose models this process pays for. */
    agents: (agents: AgentRunner): AgentRunner => ({
      ...agents,
      run: (role, input, context) =>
        agents.run(role, input, {
          ...context,
          beforeModelCall: async () => {
            await context.beforeModelCall();
            effect(`a model call of the ${role}`);
          },
        }),
    }),
    /** From now on another process has the issue, or nobody has. */
    loseLease(): void {
      isHolder = false;
    },
    /** Goes on, `sleptMs` later by its own clock. */
    wake(sleptMs: number): void {
      isFrozen = false;
      clock.wake(sleptMs);
      woken.resolve();
    },
  };
}

/** Timers that stand still with their process. Those that are due when it wakes fire after what was under way goes on. */
function freezableTimers(isFrozen: () => boolean): { readonly timers: Timers; wake(sleptMs: number): void } {
  const pending = new Set<{ readonly dueAt: number; readonly fire: () => void }>();
  let sleptMs = 0;
  const now = () => systemTimers.now() + sleptMs;
  const timers = timersOver({
    now,
    after(ms, act) {
      const cancelSystem = systemTimers.after(ms, () => void (isFrozen() || fire()));
      const entry = { dueAt: now() + ms, fire };
      pending.add(entry);
      function cancel(): void {
        pending.delete(entry);
        cancelSystem();
      }
      function fire(): void {
        if (!pending.has(entry)) return;
        cancel();
        act();
      }
      return cancel;
    },
  });
  return {
    timers,
    wake(ms) {
      sleptMs += ms;
      const due = [...pending].filter(({ dueAt }) => dueAt <= now()).sort((one, other) => one.dueAt - other.dueAt);
      setImmediate(() => {
        for (const { fire } of due) fire();
      });
    },
  };
}
