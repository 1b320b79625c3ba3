import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { outlineFile } from '../../src/lexical/chunk-file.ts';
import { createSyntaxParser, type SyntaxParser } from '../../src/lexical/syntax/syntax-parser.ts';
import { expectNoHarmFromBinary, expectOutlinedOrGivenUp } from '../../src/lexical/test/hostile-file.ts';

// Usual way: packages/code-search/src/lexical/chunk-file.test.ts

let parser: SyntaxParser;
beforeAll(async () => {
  parser = await createSyntaxParser();
});

const nested = (open: string, close: string) => `${open.repeat(100_000)}${close.repeat(100_000)}`;

describe('a hostile file', () => {
  it.each([
    ['deep brackets', 'ts', nested('[', ']')],
    ['deep calls', 'ts', nested('a(', ')')],
    ['deep blocks', 'js', nested('{', '}')],
    ['deep namespaces', 'cpp', nested('namespace a{', '}').slice(0, 500_000)],
    ['one line of 500 KB', 'ts', 'a+'.repeat(250_000)],
    ['heredocs', 'sh', '<<A '.repeat(50_000)],
    ['nothing but <', 'sh', '<'.repeat(500_000)],
    ['40,000 symbols', 'ts', 'function a(){}\n'.repeat(34_000)],
  ])('is outlined or given up within seconds: %s', { timeout: 120_000 }, (_, ending, text) =>
    expectOutlinedOrGivenUp(parser, ending, text),
  );

  it.each(['ts', 'py', 'go', 'rs', 'java', 'cpp', 'cs', 'rb', 'ps1', 'css'])(
    'that is no text does no harm to the next: .%s',
    { timeout: 120_000 },
    (ending) => expectNoHarmFromBinary(parser, ending),
  );

  it('leaves no memory behind, and neither do thousands of others', async () => {
    const text = `class A {\n${'  work();\n'.repeat(298)}}\n`;
    const rounds = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await outlineFile(parser, { path: 'a.ts', text });
        if (n % 50 === 0) await delay(0); // lets the collector's finalizers run, as between messages
      }
      return process.memoryUsage().external;
    };
    const before = await rounds(200);
    expect((await rounds(1_500)) - before).toBeLessThan(48 * 1_024 * 1_024); // 1,500 trees take 400 MB
  });
});
