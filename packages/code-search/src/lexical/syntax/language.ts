/** The languages there is a grammar for, each by the name of its grammar. C is read by C++'s. */
const ENDINGS = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs jsx',
  python: 'py pyi pyw',
  go: 'go',
  rust: 'rs',
  java: 'java',
  cpp: 'c h cc cpp cxx hh hpp hxx ipp inl cu cuh',
  'c-sharp': 'cs',
  ruby: 'rb rake gemspec',
  php: 'php phtml',
  bash: 'sh bash',
  powershell: 'ps1 psm1',
  css: 'css',
} as const satisfies Record<string, string>;

export type Language = keyof typeof ENDINGS;

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language as Language] as const),
  ),
);

/** The language of a file by the ending of its name, or null where there is no grammar for it. */
export function languageOf(path: string): Language | null {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return BY_ENDING.get(ending ?? '') ?? null;
}

/** Larger files are data, not code. */
export const MAX_FILE_BYTES = 512 * 1_024;
