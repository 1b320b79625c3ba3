import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { AppError } from '@sluice/core/error';
import type { PlanDraft } from '@sluice/core/pipeline';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import type { LanguageModelUsage, ModelMessage } from 'ai';

/** A model that may work for a role. Always an object: a bare name would be resolved by a public gateway. */
export interface ModelChoice {
  readonly model: LanguageModelV4;
  /** The configured name, e.g. `anthropic/claude-sonnet-4-5`; `builtin`. */
  readonly name: string;
  /** Its server, where the name does not tell it: what one server has signed is not sent to another. */
  readonly server?: string;
  /** The name that is shown with everything that it did. */
  readonly label: string;
  /** The limit of turns in place of the role's own. */
  readonly maxTurns?: number;
  /** Input and output together; null: no limit (the built-in model). */
  readonly contextTokens: number | null;
  /** Asks the server for the window, where nobody has set it; null when it does not tell. Never throws. */
  askWindow?(): Promise<number | null>;
  /** What its server has refused of the form of requests within a day, and how it is asked since. */
  refusedForms?(): readonly string[];
  /** The most that one answer may have in a window that is large enough (`longestAnswer`); null: what the provider allows. */
  readonly maxOutputTokens: number | null;
  /** A budget of thoughts on top of the longest answer; none by default. */
  readonly thinkingTokens?: number | undefined;
  /** What the model is sent so that it thinks; absent: a model that does not. */
  readonly thinking?: {
    /** For people, as the end of a sentence that begins with "is sent". */
    readonly words: string;
    readonly isOn: boolean;
    /** The thoughts do not come back in full, so that what arrives does not tell how long they are. */
    readonly isHidden: boolean;
  };
  /** Whether it is shown pictures; absent: no. */
  readonly seesPictures?: boolean;
  /** The form in which it writes edits as the coder; exact replacements by default. */
  readonly editFormat?: 'replace' | 'patch';
  /** What a turn cost in USD, or null when the price is unknown. */
  costUsd(usage: LanguageModelUsage): number | null;
  /** Turns a provider's error into a failure of ours; never with a key, a header or the prompt in it. */
  failureOf(error: unknown): AppError;
  /**
   * The reason for which this model, as the coder, is known to fail at a plan, or null. Absent: a model that may manage
   * any plan.
   */
  planBlocker?(plan: PlanDraft, files: Pick<WorkspaceFiles, 'read' | 'storedInLfs'>): Promise<string | null>;
  /** Marks for the provider's prompt cache, where it wants them. The instructions, if given, come as the first message. */
  withCacheMarks?(messages: readonly ModelMessage[]): ModelMessage[];
}
