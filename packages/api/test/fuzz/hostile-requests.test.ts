import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/openapi/openapi-document.ts';
import { answerJudge } from './answer-judge.ts';
import { type FuzzRequest, requestsTo } from './fuzz-requests.ts';
import { type FuzzWorld, startFuzzWorld } from './fuzz-world.ts';
import { operationsOf } from './operations.ts';

/** `HOSTILE_REQUESTS=100000 HOSTILE_SEED=1 npm test -- packages/api/test/fuzz` asks for more, or for the same again. */
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 10_000);
const SEED = process.env.HOSTILE_SEED === undefined ? {} : { seed: Number(process.env.HOSTILE_SEED) };
const MS_PER_REQUEST = 30; // on a machine that is busy with other things
const WARM_UP = 0.2; // of the requests; caches and compiled code come with them
/** What is kept of a request for good would be more than this: its context alone holds several times as much. */
const BYTES_PER_REQUEST = 1_024;
const NOISE_BYTES = 16 * 1_048_576;
/** Each that gets so far takes 19 MiB and some tens of milliseconds, to hash a password. */
const hashing = new Set(['POST /api/auth/login', 'POST /api/auth/register', 'PATCH /api/auth/me']);

const document = openApiDocument();
const operations = operationsOf(document);
const names = operations.map(({ method, path }) => `${method} ${path}`);
const judge = answerJudge(document);
const requests = fc.oneof(
  ...operations.map((operation) => ({
    weight: hashing.has(`${operation.method} ${operation.path}`) ? 2 : 12,
    arbitrary: requestsTo(operation),
  })),
);

let world: FuzzWorld;
beforeAll(async () => {
  world = await startFuzzWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('whatever is asked of whatever operation', () => {
  it(
    'the answer is what the document says, nothing fails and nothing is kept',
    async () => {
      const seen = new Map<string, number>();
      await askFor(Math.round(REQUESTS * WARM_UP), seen);
      const before = heapBytes();
      await askFor(REQUESTS - Math.round(REQUESTS * WARM_UP), seen);
      const grown = heapBytes() - before;
      expect(grown).toBeLessThan(NOISE_BYTES + REQUESTS * BYTES_PER_REQUEST);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      // Else it has gone blind: most operations must have been carried out now and then, not refused alone.
      const refused = names.filter((name) => !isCarriedOut(seen, name));
      expect(refused.length, refused.join('\n')).toBeLessThan(names.length / 5);
    },
    60_000 + REQUESTS * MS_PER_REQUEST,
  );
});

const isCarriedOut = (seen: ReadonlyMap<string, number>, name: string) =>
  [...seen.keys()].some((one) => one.startsWith(`${name} 2`) || one.startsWith(`${name} 3`));

async function askFor(numRuns: number, seen: Map<string, number>): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const { logged } = world.api;
    logged.length = 0;
    const answer = await world.send(request);
    const { method } = request;
    const fault = judge({ method, path: pathInDocument(request), answer });
    const failures = logged.filter(({ level }) => level === 'error');
    if (fault !== null || failures.length > 0) {
      const causes = failures.map(({ fields }) => String((fields.err as Error | undefined)?.stack));
      throw new Error([`${fault}: ${answer.status} ${answer.text.slice(0, 500)}`, ...causes].join('\n'));
    }
    const name = `${method} ${request.path} ${answer.status}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  });
  await fc.assert(property, { numRuns, ...SEED });
}

/** Null where a text in the path makes it another path. */
function pathInDocument({ path, params, unescaped }: FuzzRequest): string | null {
  const isOther = (value: string) => value === '' || (unescaped && /[/?#]|\s/.test(value));
  return Object.values(params).some(isOther) ? null : path;
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
