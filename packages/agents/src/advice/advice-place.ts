/** What a file is to the contributors of a repository, by its path. */
export interface AdvicePlace {
  /** The folder that it is about; '' for the root. */
  readonly folder: string;
  /** `rule`: a header may say which files it is about. `contributing`: only what it says of tests and style counts. */
  readonly kind: 'whole' | 'rule' | 'contributing';
  /** The order within the folder. */
  readonly rank: number;
}

/** The files that tools read from any folder. */
const NAMES = ['agents.md', 'claude.md', 'gemini.md'];
const ROOT_FILES = ['.github/copilot-instructions.md', '.cursorrules'];
const CONTRIBUTING = ['contributing.md', '.github/contributing.md', 'docs/contributing.md'];

const RULE_FOLDER = '.cursor/rules';
const INSTRUCTION_FOLDER = '.github/instructions';
const RULE = /^(?:(.*)\/)?\.cursor\/rules\/.*\.mdc?$/;
const INSTRUCTION = /^\.github\/instructions\/.*\.instructions\.md$/;

const RANK_OF_RULES = NAMES.length + ROOT_FILES.length;

/** The place of a file for contributors, in any case; null for any other file. */
export function advicePlace(path: string): AdvicePlace | null {
  const lower = path.toLowerCase();
  const rule = RULE.exec(lower);
  if (rule !== null) return { folder: rule[1] ?? '', kind: 'rule', rank: RANK_OF_RULES };
  if (INSTRUCTION.test(lower)) return { folder: '', kind: 'rule', rank: RANK_OF_RULES };
  const rootRank = ROOT_FILES.indexOf(lower);
  if (rootRank >= 0) return { folder: '', kind: 'whole', rank: NAMES.length + rootRank };
  if (CONTRIBUTING.includes(lower)) return { folder: '', kind: 'contributing', rank: RANK_OF_RULES + 1 };
  const cut = lower.lastIndexOf('/');
  const rank = NAMES.indexOf(lower.slice(cut + 1));
  return rank < 0 ? null : { folder: cut < 0 ? '' : lower.slice(0, cut), kind: 'whole', rank };
}

/** Whether a path is such a file, or is where a link to a folder of them may stand. */
export function isAdvicePath(path: string): boolean {
  if (advicePlace(path) !== null) return true;
  const lower = path.toLowerCase();
  return lower === INSTRUCTION_FOLDER || lower === RULE_FOLDER || lower.endsWith(`/${RULE_FOLDER}`);
}
