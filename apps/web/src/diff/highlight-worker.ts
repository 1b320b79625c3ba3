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
import { highlightLines, type LineTokens } from './highlight-lines.ts';

export interface HighlightRequest {
  readonly id: number;
  readonly language: string;
  /** Lines that stand below one another: each hunk before the change, and after it. */
  readonly blocks: readonly (readonly string[])[];
}

export interface HighlightAnswer {
  readonly id: number;
  readonly blocks: readonly (readonly LineTokens[])[];
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
  const answer: HighlightAnswer = { id, blocks: blocks.map((lines) => highlightLines(lowlight, language, lines)) };
  self.postMessage(answer);
});
