import type { ChangedFile } from '@sluice/core/change';
import { belongsToTests } from './belongs-to-tests.ts';
import { wordsOfName } from './tokens.ts';

/** The parts that a change removes from the program: their tests may go too. */
export interface Removed {
  /** Functions, types, fields, constants and modules. Not local variables, whose names the tests use for their own. */
  readonly names: ReadonlySet<string>;
  /** Words of these names that no name of the program has any longer: what is called by them is gone, not renamed. */
  readonly features: ReadonlySet<string>;
  /** Routes and options of a command line, as they are written: `/items`, `--turbo`. */
  readonly texts: ReadonlySet<string>;
  /** Routes with parameters, by their parts: `/items/:id`. */
  readonly routes: readonly (readonly string[])[];
  /** Sentences that the program no longer says: the words between the values that it puts into each. */
  readonly messages: readonly (readonly string[])[];
}

/** Functions, classes and the like. */
const DECLARED =
  /\b(?:function\*?|class|interface|enum|struct|trait|type|def|fn|func(?:\s*\([^)\n]*\))?|module|mod|record|object|fun|macro_rules!)\s+(?:self\.)?([A-Za-z_$][\w$]*)|(?<![\w$])([A-Za-z_$][\w$]*)\s*=\s*(?:async\s+)?(?:function\b|\([^()\n]*\)\s*(?::[^=\n]+)?=>|[\w$]+\s*=>)|^[ \t]*(?:(?:async|static|public|private|protected|override|final|get|set|export|default|abstract|synchronized)[ \t]+)*(?:[\w<>[\],.?]+[ \t]+)?([A-Za-z_$][\w$]*)[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[^\n;=]*\{/gm;
/** Constants of a module, and fields that are set on an object: gone only where nothing mentions them any longer. */
const CONSTANT =
  /^(?:export\s+)?(?:pub(?:\([^)\n]*\))?\s+)?(?:(?:const|let|var|val|static)\s+)?(?:mut\s+)?([A-Za-z_$][\w$]*)(?:\s*:[^=\n]+)?\s*=(?!=)|\b(?:this|self)\.([A-Za-z_$][\w$]*)\s*=(?!=)|(?<![\w@])@([a-z_]\w*)\s*(?:\|\||&&)?=(?![=~])|\battr_\w+[^\n]*:(\w+)/gm;
/** Parameters that are given by name, and so are known outside. */
const PARAMETERS = /\b(?:def|fun|function)\s+[\w.]+[?!]?\s*\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g;
const WITH_DEFAULT = /(?:^|,)\s*(\w+)\s*(?::[^,=]*)?=/g;
const KEYWORD_OF_RUBY = /(?:^|,)\s*(\w+):(?!:)/g;
const TYPE = /^[^\n]*\b(?:class|interface|struct|enum|record|trait|type|object)\b/;
const MEMBER =
  /^[ \t]+(?:(?:pub(?:\([^)\n]*\))?|public|private|protected|internal|readonly|static|final|declare|override|val|var|const|mut)[ \t]+)*(?:([A-Za-z_$][\w$]*)["']?[?!]?[ \t]*[:=](?![=:])|[\w<>[\],.?*]+[ \t]+([A-Za-z_$][\w$]*)[ \t]*[;=\n])/;
const WORD = /[A-Za-z_$][\w$-]*/g;
const ROUTE_OR_OPTION = /(["'`])((?:\/[\w:{<*]|--?[a-z])[^"'`\s\\]{1,100})\1/g;
const NO_SOURCE = /\.(?:json|ya?ml|toml|md|lock|txt)$/;
const MAX_NAMES = 5_000;
const MAX_ROUTES = 100;
const MIN_WORD = 5;
const MIN_NAME = 3; // shorter names stand for too many things

/** What the program declared and does not any longer. */
export function removedFromProgram(files: readonly ChangedFile[]): Removed {
  const sources = files
    .filter(({ path }) => !belongsToTests(path) && !NO_SOURCE.test(path))
    .map(({ path, before, after }) => ({
      path,
      before: withoutTests(before ?? ''),
      after: withoutTests(after ?? ''),
      isGone: after === null,
    }));
  const words = new Set(sources.flatMap(({ after }) => after.match(WORD) ?? []));
  const declared = new Set(sources.flatMap(({ after }) => namesIn(after, DECLARED)));
  const names = sources.flatMap(({ path, before, isGone }) => [
    ...namesIn(before, DECLARED).filter((name) => !declared.has(name)),
    ...[...namesIn(before, CONSTANT), ...parametersIn(before, path), ...membersIn(before)].filter(
      (name) => !words.has(name),
    ),
    // A module is imported by its file's name.
    ...(isGone ? [path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')] : []),
  ]);
  const left = new Set(sources.flatMap(({ after }) => textsIn(after)));
  const texts = sources.flatMap(({ before }) => textsIn(before)).filter((text) => !left.has(text));
  const remaining = new Set(sources.flatMap(({ after }) => messagesIn(after)));
  const messages = sources.flatMap(({ before }) => messagesIn(before)).filter((text) => !remaining.has(text));
  const parts = new Set([...words].flatMap(wordsOfName));
  const gone = names.filter(({ length }) => length >= MIN_NAME).slice(0, MAX_NAMES);
  return {
    names: new Set(gone),
    features: new Set(gone.flatMap(wordsOfName).filter((word) => word.length >= MIN_WORD && !parts.has(word))),
    texts: new Set(texts.slice(0, MAX_NAMES)),
    routes: texts
      .filter((text) => /^\/.*[:{<*]/.test(text))
      .slice(0, MAX_ROUTES)
      .map((route) => route.split('/')),
    messages: messages
      .slice(0, MAX_ROUTES)
      .map((text) => text.split(PUT_IN))
      .filter((parts) => parts.join('').length >= MIN_MESSAGE),
  };
}

function namesIn(source: string, pattern: RegExp): string[] {
  return Array.from(
    source.matchAll(pattern),
    (match) => match.slice(1).find((name) => name !== undefined) ?? '',
  ).filter((name) => !KEYWORD.test(name));
}

function parametersIn(source: string, path: string): string[] {
  const form = path.endsWith('.rb') ? KEYWORD_OF_RUBY : WITH_DEFAULT;
  return Array.from(source.matchAll(PARAMETERS), ([, list = '']) =>
    Array.from(list.matchAll(form), ([, name = '']) => name),
  ).flat();
}

const KEYWORD = /^(?:if|for|while|switch|catch|return|else|match|constructor|default|function|impl|using|with)$/;

/** The fields of types, by the indentation below their heads. */
function membersIn(source: string): string[] {
  return source
    .split(/^(?=[^\s})\]])/m)
    .filter((block) => TYPE.test(block))
    .flatMap((block) => {
      const indent = /^[ \t]+(?=\S)/m.exec(block)?.[0] ?? '';
      return block.split('\n').flatMap((line) => {
        if (indent === '' || !line.startsWith(indent) || /\s/.test(line[indent.length] ?? ' ')) return [];
        const found = MEMBER.exec(`${line.slice(0, MAX_HEAD_LENGTH)}\n`);
        return found?.[1] ?? found?.[2] ?? [];
      });
    });
}

const MAX_HEAD_LENGTH = 200; // characters of a field's line

function textsIn(source: string): string[] {
  return Array.from(source.matchAll(ROUTE_OR_OPTION), ([, , text = '']) => text);
}

function messagesIn(source: string): string[] {
  return Array.from(source.matchAll(MESSAGE).take(MAX_NAMES), ([, , text = '']) => text);
}

/** Words with a space between them. */
const MESSAGE = /(["'`])([^"'`\n\\]{3,200}[ ][^"'`\n\\]{2,200})\1/g;
const PUT_IN = /[$#]?\{[^{}]*\}|%[-+#]?[\d.]*[a-z]|"\s*\+[^"]*\+\s*"/i;
const MIN_MESSAGE = 10; // characters

/** Rust keeps the tests of a module at its end. */
function withoutTests(source: string): string {
  const at = source.search(/^#\[cfg\([^\n]*\btest\b[^\n]*\)\]\s*mod\b/m);
  return at === -1 ? source : source.slice(0, at);
}
