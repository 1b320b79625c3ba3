import {
  type AttemptEnd,
  type AttemptResult,
  type ClaimedDelivery,
  endOfAttempt,
  notificationSecretOwner,
  type OutgoingNotification,
  openUrl,
  toNotification,
} from '@sluice/core/notification';
import type { NotificationPorts, WorkerDeps } from '../execution/worker-deps.ts';

const AT_ONCE = 100; // an attempt waits for the network alone
const PER_TARGET = 5; // a receiver that hangs holds up no other, and is not overrun by a burst
const PER_USER = 25; // nor do the receivers of one user, five of which hang, hold up those of others
const ATTEMPT_MS = 15_000; // as Standard Webhooks recommends: 15 to 30 s
const PER_CLAIM = 10; // a claim reads several times as many candidates, and mostly one place is free
const CLAIM_MS = ATTEMPT_MS + 15_000; // longer than an attempt can take; the deliveries of a dead process wait this long
/** How long a delivery waits at most that no hint tells of: one that is tried again, or a test. One indexed query. */
const TICK_MS = 500;
const HINT_MS = 20; // hints come in bursts, of events that tell nobody anything most of all
const AFTER_FAULT_MS = 10_000;

type Deps = Pick<
  WorkerDeps,
  'deliveries' | 'cipher' | 'clock' | 'timers' | 'signals' | 'publicUrl' | 'telemetry' | 'log'
>;

export interface Deliverer {
  start(): void;
  /** Ends the running attempts. The next worker starts them again. */
  stop(): Promise<void>;
}

/**
 * Sends the deliveries that are due, many at once but few of one target or user. What an attempt led to is recorded after it: a process
 * that dies in between sends the notification twice, and none is lost.
 */
export function createDeliverer(
  deps: Deps,
  { sender, unsubscribeTokens }: NotificationPorts,
  { owner }: { readonly owner: string },
): Deliverer {
  const { deliveries: queue, cipher, clock, timers, signals, publicUrl, telemetry, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The deliveries in flight, with their targets. */
  const running = new Map<Promise<void>, ClaimedDelivery['target']>();
  let loop: Promise<void> = Promise.resolve();
  let isWoken = false;
  let endPause: () => void = () => undefined;
  let cancelHint: (() => void) | null = null;
  let unsubscribe: () => void = () => undefined;

  function wake(): void {
    isWoken = true;
    endPause();
  }

  /** An event was written, and a delivery perhaps. */
  function hint(): void {
    cancelHint ??= timers.after(HINT_MS, () => {
      cancelHint = null;
      wake();
    });
  }

  async function pause(ms: number): Promise<void> {
    if (isWoken || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = timers.after(ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isWoken = false;
      const pauseMs = await claimDue().then(
        () => TICK_MS,
        (error: unknown) => {
          log.error({ err: error }, 'the deliveries of notifications could not be read');
          return AFTER_FAULT_MS;
        },
      );
      await pause(pauseMs);
    }
  }

  async function claimDue(): Promise<void> {
    while (!signal.aborted && running.size < AT_ONCE) {
      const limit = Math.min(AT_ONCE - running.size, PER_CLAIM);
      const busy = [...running.values()];
      const bounds = { perTarget: PER_TARGET, perUser: PER_USER, busy };
      const claimed = await queue.claim(owner, { limit, ttlMs: CLAIM_MS, ...bounds });
      for (const delivery of claimed) begin(delivery);
      if (claimed.length === 0) return;
    }
  }

  function begin(delivery: ClaimedDelivery): void {
    const sending = deliver(delivery)
      .catch((error: unknown) => {
        // The store failed. The claim expires, and the delivery is sent again.
        log.error({ err: error, deliveryId: delivery.id }, 'could not record the attempt of a delivery');
      })
      .finally(() => {
        running.delete(sending);
        wake(); // the next one of its issue, or of its target, may go
      });
    running.set(sending, delivery.target);
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const obstacle = obstacleOf(delivery);
    if (obstacle !== null) return await queue.settle(owner, delivery, notSent(obstacle));
    const result = await attempt(delivery);
    if (result === null) return await queue.release(owner, delivery.id);
    const { attempts, target } = delivery;
    const facts = { attempts, failingSince: target.failingSince };
    const end = endOfAttempt(facts, result, { now: clock.now(), random: Math.random() });
    telemetry.notificationAttempted({ channel: target.channel, status: end.status });
    if (end.disable !== null)
      log.warn({ targetId: target.id, reason: end.disable }, 'disabled a target of notifications');
    await queue.settle(owner, delivery, end);
  }

  /** @returns null when this process stops */
  async function attempt(delivery: ClaimedDelivery): Promise<AttemptResult | null> {
    const began = timers.now();
    const timeout = timers.timeout(ATTEMPT_MS);
    try {
      const notification = outgoing(delivery);
      if (notification === null) return failed(LOST_URL, null);
      return await sender.send(notification, AbortSignal.any([signal, timeout]));
    } catch (error) {
      if (signal.aborted) return null;
      if (!timeout.aborted) log.error({ err: error, deliveryId: delivery.id }, 'could not send a notification');
      return timeout.aborted ? failed(NO_ANSWER, timers.now() - began) : failed(FAULT, null);
    }
  }

  /** @returns null when the key of the URL is lost */
  function outgoing({ messageId, notification, target, user, secrets }: ClaimedDelivery): OutgoingNotification | null {
    const message = { messageId, notification: toNotification(notification, publicUrl), userId: target.userId };
    if (target.channel === 'email') {
      const token = encodeURIComponent(unsubscribeTokens.issue(target.id));
      const unsubscribeUrl = new URL(`/api/notifications/unsubscribe?token=${token}`, publicUrl).href;
      return { ...message, to: { channel: 'email', address: user.email ?? '', unsubscribeUrl } };
    }
    const url = openUrl(cipher, target);
    if (url === null) return null;
    const plain = secrets.flatMap(({ id, encryptedToken }) => {
      try {
        return [cipher.decrypt(notificationSecretOwner(target.userId, id), encryptedToken)];
      } catch {
        return []; // the cipher has reported it
      }
    });
    return { ...message, to: { channel: 'webhook', url, format: target.format, secrets: plain } };
  }

  return {
    start() {
      unsubscribe = signals.subscribe(null, { onEvents: hint });
      loop = run();
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      cancelHint?.();
      wake();
      await loop;
      await Promise.all(running.keys());
    },
  };

  /** Why a delivery cannot be sent at all, or null. */
  function obstacleOf({ target, user }: ClaimedDelivery): string | null {
    if (target.disabledReason !== null) return target.disabledReason;
    if (!user.isEnabled) return 'The account is disabled.';
    if (target.channel !== 'email') return null;
    if (!sender.sendsEmail) return 'This server sends no e-mail: SMTP_URL is not set.';
    return user.email === null ? 'The account has no e-mail address.' : null;
  }
}

const NO_ANSWER = `The receiver did not answer within ${ATTEMPT_MS / 1_000} seconds.`;

const LOST_URL =
  'The URL cannot be decrypted. Set it again, or ask the operator for the key, which the log of the server names.';

const FAULT = 'Something failed inside Sluice. The log of the server has the details.';

/** @param latencyMs null when the receiver has no part in it */
function failed(reason: string, latencyMs: number | null): AttemptResult {
  return { kind: 'refused', status: null, latencyMs, reason, retry: 'later', retryAfterMs: null };
}

function notSent(reason: string): AttemptEnd {
  return { status: 'given_up', lastStatus: null, lastError: reason, latencyMs: null, retryInMs: 0, disable: null };
}
