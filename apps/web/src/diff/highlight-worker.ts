import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { highlightLines } from './highlight-lines.ts';

export interface HighlightRequest {
  readonly id: number;
  readonly language: string;
  /** Texts that stand together in the file. */
  readonly blocks: readonly string[];
}

/** The tokens of one block, so that the first lines do not wait for the last. */
export interface HighlightAnswer {
  readonly id: number;
  readonly block: number;
  readonly packed: PackedTokens;
}

/** The tokens of many lines in two arrays, which reach the page without being copied. */
export interface PackedTokens {
  /** Start, end and group of each token. */
  readonly tokens: Int32Array<ArrayBuffer>;
  /** The end of each line's numbers in `tokens`. */
  readonly ends: Int32Array<ArrayBuffer>;
}

const lowlight = createLowlight({
  bash,
  cpp,
  csharp,
  css,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

self.addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, language, blocks } = data;
  for (const [block, text] of blocks.entries()) {
    const packed = pack(highlightLines(lowlight, language, text.split('\n')));
    const answer: HighlightAnswer = { id, block, packed };
    self.postMessage(answer, { transfer: [packed.tokens.buffer, packed.ends.buffer] });
  }
});

function pack(lines: readonly (readonly number[])[]): PackedTokens {
  let end = 0;
  return {
    tokens: Int32Array.from(lines.flat()),
    ends: Int32Array.from(lines, (line) => {
      end += line.length;
      return end;
    }),
  };
}
