export const excusedFiles: Readonly<Record<string, string>> = {};
