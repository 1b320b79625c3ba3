/** Names that other agents have for our tools, which models were trained on. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  run_command:
    'bash shell sh exec execute run terminal cmd command execute_command run_terminal_cmd run_shell run_shell_command execute_bash container_exec local_shell',
  read_file: 'view cat open read open_file view_file get_file show_file',
  edit_file: 'edit str_replace replace replace_in_file search_replace string_replace apply_edit',
  apply_patch: 'patch applypatch edit edit_file',
  write_file: 'write create create_file save_file write_to_file new_file',
  delete_file: 'delete remove remove_file rm',
  list_files: 'ls list list_dir list_directory tree',
  search_text: 'grep search rg ripgrep grep_search search_files grep_files',
  find_code: 'semantic_search codebase_search search_code code_search',
  rename_symbol: 'rename rename_identifier',
  replace_in_files: 'replace_all multi_replace',
  finish: 'done end complete submit finish_task task_complete complete_task attempt_completion',
  submit_plan: 'plan submit finish exit_plan_mode',
  submit_review: 'review submit finish',
};

/** What the text editors of some vendors do, by their `command`. */
const EDITOR = /^str_replace_(?:based_edit_tool|editor)$|^text_editor$/;
const EDITOR_COMMANDS: Readonly<Record<string, string>> = {
  view: 'read_file',
  create: 'write_file',
  str_replace: 'edit_file',
};

/**
 * The tool that a model meant by a name that no tool has, or null. Spelling, and the prefix that some models put before
 * a name, do not count.
 *
 * @param input as the model gave it, read from JSON
 */
export function toolMeant<Tool extends { readonly name: string }>(
  tools: readonly Tool[],
  name: string,
  input: unknown,
): Tool | null {
  const plain = (name.split(/[.:/]/).at(-1) ?? '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  const commonName = EDITOR.test(plain) ? EDITOR_COMMANDS[commandOf(input)] : plain;
  if (commonName === undefined) return null;
  const named = tools.find((tool) => tool.name === commonName);
  return named ?? tools.find((tool) => OTHER_NAMES[tool.name]?.split(' ').includes(commonName)) ?? null;
}

function commandOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '';
}
