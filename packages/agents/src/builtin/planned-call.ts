/** One call of a tool, with what its file holds before and after it; null = there is no such file. */
export interface PlannedCall {
  readonly tool: 'edit_file' | 'write_file' | 'delete_file';
  readonly path: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly before: string | null;
  readonly after: string | null;
}
