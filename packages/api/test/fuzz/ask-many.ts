import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isSoakRun } from '@sluice/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FuzzWorld, WorldAnswer } from './fuzz-world.ts';
import type { RawAnswer } from './raw-exchange.ts';
import type { WorldRequest } from './world-request.ts';

const WARM_UP = 0.2; // of the requests; caches and compiled code come with them
/**
 * The bound on memory that stays for each request: a retained request takes more, its context alone several times as
 * much.
 */
const BYTES_PER_REQUEST = 1_024;
const NOISE_BYTES = 16 * 1_048_576;

export interface Asking<Request> {
  readonly requests: fc.Arbitrary<Request>;
  /** Valid requests to each operation. A short run warms up with them: few random requests are valid. */
  readonly validRequests: readonly fc.Arbitrary<Request>[];
  readonly onTheWire: (request: Request) => WorldRequest;
  /** The fault of an answer; null when there is none. */
  readonly fault: (request: Request, answer: RawAnswer) => string | null;
  /** The parts of an answer that was right by which it is seen afterwards what the asking came to. */
  readonly notes: (request: Request, answer: RawAnswer) => readonly string[];
}

/**
 * Asks so often, and holds each answer against what it should be. Nothing fails on the server, and nothing is kept there.
 *
 * @returns how often each note was made
 */
export async function askMany<Request>(
  world: FuzzWorld,
  asking: Asking<Request>,
  amount: { readonly requests: number; readonly seed: number },
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const warmUp = Math.round(amount.requests * WARM_UP);
  const first = isSoakRun ? [asking.requests] : asking.validRequests;
  for (const requests of first) {
    const numRuns = Math.ceil(warmUp / first.length);
    await ask(world, { ...asking, requests }, { numRuns, seed: amount.seed - 1, seen });
  }
  const before = heapBytes();
  await ask(world, asking, { numRuns: amount.requests - warmUp, seed: amount.seed, seen });
  const grown = heapBytes() - before;
  expect(grown).toBeLessThan(NOISE_BYTES + amount.requests * BYTES_PER_REQUEST);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  return seen;
}

async function ask<Request>(
  world: FuzzWorld,
  { requests, onTheWire, fault, notes }: Asking<Request>,
  { seen, ...run }: { numRuns: number; seed: number; seen: Map<string, number> },
): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const { logged } = world.api;
    logged.length = 0;
    const answer = await world.send(onTheWire(request));
    const found = fault(request, answer) ?? routeFault(answer);
    const failures = logged.filter(({ level }) => level === 'error');
    if (found !== null || failures.length > 0) {
      const causes = failures.map(({ fields }) => String((fields.err as Error | undefined)?.stack));
      throw new Error([`${found}: ${answer.status} ${answer.text.slice(0, 500)}`, ...causes].join('\n'));
    }
    for (const note of notes(request, answer)) seen.set(note, (seen.get(note) ?? 0) + 1);
  });
  await fc.assert(property, run);
}

/** A proxy that reads the target with another parser must find the same route. */
function routeFault({ sent, route }: WorldAnswer): string | null {
  if (route === null || !sent.startsWith('/') || route.startsWith('/api/trpc/')) return null;
  const { pathname } = new URL(sent, 'http://host');
  const pattern = new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return pattern.test(pathname) ? null : `${sent} is answered by ${route}, and is ${pathname} to others`;
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
