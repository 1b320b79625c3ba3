import { type Failure, failedAs, isHook, isSourceFile } from './failure.ts';
import { namedFile, testName } from './test-name.ts';

const OPENING = /^((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/;
const ATTRIBUTES = {
  file: /\sfile\s*=\s*(?:"([^"]*)"|'([^']*)')/,
  classname: /\sclassname\s*=\s*(?:"([^"]*)"|'([^']*)')/,
  name: /\sname\s*=\s*(?:"([^"]*)"|'([^']*)')/,
};
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

interface JunitCase {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** No test: a file that could not be loaded, or a hook. */
  readonly isPart: boolean;
}

/** The failed cases in JUnit XML. */
export function junitFailures(text: string): Failure[] {
  return junitCases(text).flatMap(({ name, outcome, isPart }) =>
    outcome === 'failed' ? [failedAs(name, isPart)] : [],
  );
}

/**
 * Reads JUnit XML anywhere in the output. A case marked as skipped is not a failure, whatever else it contains. The text
 * is split at the tags rather than parsed as a document, because a report may be cut off or mixed with other output, and
 * because it may be made to be slow to read: splitting is linear.
 */
export function junitCases(text: string): JunitCase[] {
  return withoutCdata(text)
    .split('<testcase')
    .slice(1)
    .flatMap((piece) => {
      const [opening, attributes = '', isEmpty] = OPENING.exec(piece) ?? [];
      const end = piece.indexOf('</testcase>');
      if (opening === undefined || (isEmpty !== '/' && end < 0)) return [];
      const body = isEmpty === '/' ? '' : piece.slice(opening.length, end);
      const file = attribute(attributes, 'file');
      const suite = attribute(attributes, 'classname');
      // node:test gives "test" as the class of every test outside a suite
      const own = attribute(attributes, 'name') ?? '';
      const name = testName(file && namedFile(file), suite === 'test' ? null : suite, own);
      // "collection failure" is pytest's message for a file that it cannot import.
      const isPart = isSourceFile(own) || isHook(own) || body.startsWith('<error message="collection failure"');
      return [{ name, outcome: outcomeIn(body), isPart }];
    });
}

function outcomeIn(body: string): 'passed' | 'failed' | 'skipped' {
  if (/<skipped\b/.test(body)) return 'skipped';
  return /<(failure|error)\b/.test(body) ? 'failed' : 'passed';
}

/** A CDATA section holds output of the test itself, which may look like a report. */
function withoutCdata(text: string): string {
  const [before = '', ...sections] = text.split('<![CDATA[');
  const rest = sections.map((section) => {
    const end = section.indexOf(']]>');
    return end < 0 ? '' : section.slice(end + ']]>'.length);
  });
  return before + rest.join('');
}

function attribute(attributes: string, name: keyof typeof ATTRIBUTES): string | null {
  const value = ATTRIBUTES[name].exec(attributes);
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
