import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { createModels } from '../../src/providers/create-models.ts';
import { ask, PROMPT } from './ask.ts';
import {
  otherServers,
  type Story,
  type StrictPackage,
  sealOf,
  startStrict,
  strictPackages,
  thoughtOf,
} from './strict-packages.ts';

const KEY = 'canary-key-of-the-vendor-0001';
const TURNS = [1, 2, 3];

/** These refuse what they have sent themselves. */
const TAKES_NOTHING = ['groq', 'cerebras'];
/** Their thoughts come as text alone. */
const UNSEALED = ['deepseek', 'mistral'];
/** Their thoughts come sealed alone. */
const TEXTLESS = ['azure', 'xai'];

function choiceAt(url: string, { provider, name }: StrictPackage): ModelChoice {
  const table = { [name]: { reasoning_effort: 'high' as const } };
  return createModels({ keys: { [provider]: KEY }, baseUrls: { [provider]: url }, table }).choice(name);
}

/** The marks of a turn's thought as its bytes stand in a body. */
function marksOf({ provider }: StrictPackage, turn: number): string[] {
  const text = TEXTLESS.includes(provider) ? [] : [thoughtOf(turn)];
  const seal = UNSEALED.includes(provider) ? [] : [sealOf(turn)];
  return [...text, ...seal].map((mark) => JSON.stringify(mark));
}

/** One more turn; each call of a tool gets its result. */
async function converse(choice: ModelChoice, messages: ModelMessage[]): Promise<ModelMessage[]> {
  const turn = await ask([choice], { messages });
  const results = turn.messages.flatMap(({ role, content }) =>
    role !== 'assistant' || typeof content === 'string'
      ? []
      : content
          .filter((part) => part.type === 'tool-call')
          .map(({ toolCallId, toolName }) => ({
            ...{ type: 'tool-result' as const, toolCallId, toolName },
            output: { type: 'text' as const, value: 'The text of the file.' },
          })),
  );
  const answered: ModelMessage[] = results.length === 0 ? [] : [{ role: 'tool', content: results }];
  // The journal stores them so.
  return JSON.parse(JSON.stringify([...messages, ...turn.messages, ...answered]));
}

const calls = { key: KEY, story: (): Story => 'call' };
const ollama = otherServers.find(({ name }) => name === 'compatible/qwen3:32b') as StrictPackage;

describe.each(strictPackages)('$name', (vendor) => {
  it('gets back what it sent with each turn, byte for byte and in its place', async () => {
    await using server = await startStrict(vendor, calls);
    let messages: ModelMessage[] = [{ role: 'user', content: PROMPT }];
    for (const _ of TURNS) messages = await converse(choiceAt(server.url, vendor), messages);
    await converse(choiceAt(server.url, vendor), messages);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    const marks = TURNS.flatMap((turn) => marksOf(vendor, turn));
    if (TAKES_NOTHING.includes(vendor.provider)) for (const mark of marks) expect(last).not.toContain(mark);
    else {
      const places = TURNS.map((turn) => marksOf(vendor, turn).map((mark) => last.indexOf(mark)));
      expect(places.flat()).not.toContain(-1);
      // The thoughts of a turn stand between the results of the turn before and its own.
      const results = [...last.matchAll(/The text of the file/g)].map(({ index }) => index);
      for (const [at, ofTurn] of places.entries())
        for (const place of ofTurn) {
          expect(place).toBeGreaterThan(results[at - 1] ?? 0);
          expect(place).toBeLessThan(results[at] ?? 0);
        }
    }
    expect(server.requests).toHaveLength(TURNS.length + 1);
  });

  it('is the only one that gets it: no other model and no other address', async () => {
    await using server = await startStrict(vendor, calls);
    await using elsewhere = await startStrict(vendor, calls);
    await using other = await startStrict(ollama, { ...calls, key: '' });
    let messages: ModelMessage[] = [{ role: 'user', content: PROMPT }];
    for (const turn of TURNS) {
      const place = turn === 2 ? choiceAt(other.url, ollama) : choiceAt(server.url, vendor);
      messages = await converse(place, messages);
    }
    await converse(choiceAt(elsewhere.url, vendor), messages);
    const own = marksOf(vendor, 1);
    for (const { body } of [...other.requests, ...elsewhere.requests])
      for (const mark of own) expect(JSON.stringify(body)).not.toContain(mark);
    // Its own first thought came back after a turn of the other, and nothing of the other with it.
    const back = JSON.stringify(server.requests.at(-1)?.body);
    if (!TAKES_NOTHING.includes(vendor.provider)) for (const mark of own) expect(back).toContain(mark);
    expect(back).toContain('a.txt');
  });
});
