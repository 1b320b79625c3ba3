import { createHmac, randomUUID } from 'node:crypto';
import { type HostEvent, type HostRepository, type HostState, nameOf } from './state/host-state.ts';
import { repoWire } from './wire/wire-repo.ts';
import { userWire } from './wire/wire-user.ts';

export interface Webhook {
  readonly url: string;
  readonly secret: string;
  /** Only of this repository (`owner/name`); none: of all. */
  readonly repo?: string;
  /** Names of events; none: all. */
  readonly events?: readonly string[];
}

export interface WebhookDelivery {
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  /** The body, byte by byte as it is signed. */
  readonly body: string;
  readonly webhook: Webhook;
  /** The answers so far; null where none came. */
  readonly statuses: (number | null)[];
}

/** How a delivery differs from a right one. */
export interface Forgery {
  readonly secret?: string;
  /** False: no signature at all. */
  readonly signed?: boolean;
  readonly id?: string;
  readonly body?: string;
  readonly event?: string;
}

export interface HostWebhooks {
  add(webhook: Webhook): void;
  /** Everything that there was to tell, sent or held. */
  readonly deliveries: readonly WebhookDelivery[];
  /** From now on nothing is sent by itself. */
  hold(): void;
  /** Sends what is held, in the order that `arrange` gives: turned around, with some of them twice, or without some. */
  release(arrange?: (held: readonly WebhookDelivery[]) => readonly WebhookDelivery[]): Promise<(number | null)[]>;
  /** Sends one again, under its own id, as the host's button does. */
  redeliver(delivery: WebhookDelivery): Promise<number | null>;
  /** Sends one that is not what the host would send. */
  forge(delivery: WebhookDelivery, forgery: Forgery): Promise<number | null>;
  /** Sends a delivery `count` times under ids of their own, `inFlight` at a time. */
  burst(delivery: WebhookDelivery, burst: { count: number; inFlight?: number }): Promise<(number | null)[]>;
  /** Resolves when all that was sent by itself is answered. */
  settled(): Promise<void>;
}

/** Opens the webhooks of the fake host. @param host asked only when something happens, so it may be set up after this */
export function openWebhooks(host: () => HostState): HostWebhooks & { tell(event: HostEvent): void } {
  const webhooks: Webhook[] = [];
  const deliveries: WebhookDelivery[] = [];
  let held: WebhookDelivery[] | null = null;
  let sending: Promise<unknown> = Promise.resolve();
  const send = async (delivery: WebhookDelivery, forgery: Forgery = {}): Promise<number | null> => {
    const status = await post(delivery, forgery);
    delivery.statuses.push(status);
    return status;
  };
  return {
    add: (webhook) => void webhooks.push(webhook),
    deliveries,
    hold: () => {
      held ??= [];
    },
    release: async (arrange = (all) => all) => {
      const waiting = held ?? [];
      held = null;
      const statuses: (number | null)[] = [];
      for (const delivery of arrange(waiting)) statuses.push(await send(delivery));
      return statuses;
    },
    redeliver: (delivery) => send(delivery),
    forge: send,
    burst: async (delivery, { count, inFlight = 20 }) => {
      const statuses: (number | null)[] = [];
      const worker = async (): Promise<void> => {
        while (statuses.length < count) {
          const place = statuses.push(null) - 1;
          statuses[place] = await post(delivery, { id: randomUUID() });
        }
      };
      await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker));
      return statuses;
    },
    settled: async () => void (await sending),
    tell: (event) => {
      for (const webhook of webhooks) {
        if (!listens(webhook, event.repo, event.name)) continue;
        const delivery = { id: randomUUID(), event: event.name, action: event.action, webhook, statuses: [] };
        const full: WebhookDelivery = { ...delivery, body: JSON.stringify(bodyOf(host(), event)) };
        deliveries.push(full);
        if (held === null) sending = sending.then(() => send(full));
        else held.push(full);
      }
    },
  };
}

function listens(webhook: Webhook, repo: HostRepository, event: string): boolean {
  return (webhook.repo ?? nameOf(repo)) === nameOf(repo) && (webhook.events?.includes(event) ?? true);
}

function bodyOf(host: HostState, event: HostEvent) {
  return {
    ...(event.action === null ? {} : { action: event.action }),
    ...event.payload,
    repository: repoWire(host, event.repo, 'read'),
    sender: userWire(host, event.sender),
  };
}

async function post(delivery: WebhookDelivery, forgery: Forgery): Promise<number | null> {
  const body = forgery.body ?? delivery.body;
  const sign = (hash: string) =>
    `${hash}=${createHmac(hash, forgery.secret ?? delivery.webhook.secret)
      .update(body)
      .digest('hex')}`;
  const signatures = { 'x-hub-signature': sign('sha1'), 'x-hub-signature-256': sign('sha256') };
  const headers = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/0000000',
    'x-github-delivery': forgery.id ?? delivery.id,
    'x-github-event': forgery.event ?? delivery.event,
    'x-github-hook-id': '1',
    'x-github-hook-installation-target-type': 'repository',
    ...(forgery.signed === false ? {} : signatures),
  };
  try {
    // GitHub waits for ten seconds; on a busy machine a correct receiver may take that long.
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(delivery.webhook.url, { method: 'POST', headers, body, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
