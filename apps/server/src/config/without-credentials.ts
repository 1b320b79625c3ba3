/** A URL may hold a password even where none belongs. */
export function withoutCredentials(value: string): string {
  return value.replace(/\/\/[^/\s]*@/g, '//***@');
}
