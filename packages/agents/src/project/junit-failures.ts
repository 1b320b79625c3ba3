import { namedFile, testName } from './test-name.ts';

const TEST_CASE = /<testcase((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Reads JUnit XML wherever it stands in the output. A case marked as skipped is no failure, whatever else it holds. */
export function junitFailures(lines: readonly string[]): string[] {
  if (!lines.some((line) => line.includes('<testcase'))) return [];
  const text = lines.join('\n').replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  const names: string[] = [];
  for (const [, attributes = '', body = ''] of text.matchAll(TEST_CASE)) {
    if (!/<(failure|error)\b/.test(body) || /<skipped\b/.test(body)) continue;
    const file = attribute(attributes, 'file');
    const suite = attribute(attributes, 'classname');
    // node:test gives "test" as the class of every test outside a suite
    names.push(testName(file && namedFile(file), suite === 'test' ? null : suite, attribute(attributes, 'name')));
  }
  return names;
}

function attribute(attributes: string, name: string): string | null {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return value === null ? null : decoded(value[1] ?? value[2] ?? '');
}

function decoded(text: string): string {
  return text.replace(/&#?\w+;/g, (entity) => {
    const code = /^&#(x?)([\da-f]+);$/i.exec(entity);
    if (code === null) return ENTITIES[entity.slice(1, -1)] ?? entity;
    const point = Number.parseInt(code[2] ?? '', code[1] === '' ? 10 : 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}
