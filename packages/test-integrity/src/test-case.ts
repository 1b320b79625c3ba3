/** A test, or a group of tests, in a source. */
export interface TestCase {
  readonly path: string;
  /** With the titles of the groups around it, separated by ` > `. */
  readonly name: string;
  readonly line: number;
  readonly isGroup: boolean;
  readonly skip: Skip | null;
  readonly isFocused: boolean;
  /** Its runner finds it by default: by the names of its file, its class and itself. */
  readonly isCollected: boolean;
  /** Other tests are inside it. */
  readonly hasInner: boolean;
  /** The code without comments, and without the tests inside it. */
  readonly code: string;
  /** The same with the content of texts blank. */
  readonly bare: string;
  readonly language: Language;
}

/** `conditional`: it runs in some environments only; `elsewhere`: it is skipped on other systems than Linux only. */
export type Skip = 'always' | 'conditional' | 'elsewhere';

/** `outlined`: a language of which the code of a test is not read. */
export type Language = 'javascript' | 'python' | 'go' | 'rust' | 'jvm' | 'ruby' | 'outlined';
