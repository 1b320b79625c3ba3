/** Labels the built-in model's work wherever it is shown. */
export const BUILTIN_LABEL = 'built-in (no model)';
