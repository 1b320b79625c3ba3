import type { AgentInput, AgentOutput, AgentRole } from '@sluice/core/agent';
import type { CodeHit } from '@sluice/core/code-search';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import type { ChosenAdvice } from '../advice/choose-advice.ts';
import type { ModelTool } from '../models/ask-model.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { Answer } from './answer.ts';
import type { PlannedFile } from './planned-files.ts';

/** A role as data, run by the loop. A role knows no database, no queue and no other role. */
export interface RoleDefinition<Role extends AgentRole> {
  readonly role: Role;
  /** Its instructions, a Markdown file beside the definition. */
  readonly promptFile: URL;
  /** All the tools that the model can call. */
  readonly tools: readonly AgentTool[];
  /** The limit on model calls, across restarts. */
  readonly maxTurns: number;
  readonly answer: Answer<AgentOutput[Role]>;
  /** The files whose nearest advice for contributors it gets, if any; absent: it gets none. */
  adviceAbout?(input: AgentInput[Role], hits: readonly CodeHit[]): readonly string[];
  /** The query for a code search before the first turn, or null. */
  query(input: AgentInput[Role]): string | null;
  /** The first message. Everything untrusted in it is fenced. */
  request(input: AgentInput[Role], found: Found): string;
  /** The beginning of a later round of the same conversation, in parts; a retry gets the parts that it has not read. */
  followUp?(input: AgentInput[Role]): readonly string[];
  /** The files that it may write without a reason, which its request holds where they are small; absent: all. */
  scope?(input: AgentInput[Role]): readonly string[];
  /** Objections to an answer. Each is made once; the answer is taken when it is given again. */
  objections?(output: AgentOutput[Role], work: UnfinishedWork<Role>): Promise<readonly Objection[]>;
  /**
   * Turns the model's answer into the final one, with facts that the service knows itself. Runs before the answer is
   * recorded or shown.
   */
  finish?(output: AgentOutput[Role], work: FinishedWork<Role>): AgentOutput[Role];
}

/** The tools as the model is offered them, the one for the answer last. */
export function offeredTools<Role extends AgentRole>({ tools, answer }: RoleDefinition<Role>): readonly ModelTool[] {
  return answer.tool === null ? tools : [...tools, answer.tool];
}

/** The results of the searches before the first turn. */
export interface Found {
  /** Places in the code, best first. */
  readonly hits: readonly CodeHit[];
  readonly advice: ChosenAdvice;
  /** The files that the role changes, where they are small. */
  readonly plannedFiles: readonly PlannedFile[];
  /** The characters that the model's whole request may have; infinite without a limit. A section takes only a share of it. */
  readonly room: number;
}

interface FinishedWork<Role extends AgentRole> {
  readonly input: AgentInput[Role];
  /** All calls of the run that have a result, restarts included, in order. */
  readonly calls: readonly AnsweredCall[];
}

interface UnfinishedWork<Role extends AgentRole> extends FinishedWork<Role> {
  /** The tree holds what an attempt before this one did. */
  readonly isRetry: boolean;
  /** Whether the working tree differs from the base. */
  hasChange(): Promise<boolean>;
  readonly files: Pick<WorkspaceFiles, 'list' | 'ignored'>;
}

/** Why an answer is not taken yet, as two parts of a text for the model. */
export interface Objection {
  /** Always the same words, by which the objection is known. */
  readonly opening: string;
  readonly rest: string;
  /** How often it is made while `rest` differs; once where absent. */
  readonly times?: number;
}

export interface AnsweredCall {
  readonly tool: string;
  /** The arguments that the model gave, not validated. */
  readonly input: unknown;
  /** `refused`: nothing was done. `unknown`: the process died during the call. */
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** The result as the model got it. */
  readonly text: string;
}
