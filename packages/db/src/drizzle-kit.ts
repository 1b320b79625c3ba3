import { fileURLToPath } from 'node:url';

export type Dialect = 'sqlite' | 'pg';

/** The folder in which drizzle-kit runs. It takes paths from here, and an absolute one for a relative one. */
export const drizzleHome = fileURLToPath(new URL('..', import.meta.url));

/** The program, which stands beside the entry: the package exports no name for it. */
export const drizzleKit = fileURLToPath(new URL('bin.cjs', import.meta.resolve('drizzle-kit')));

/** The arguments that say which tables are meant. */
export function tablesOf(dialect: Dialect): string[] {
  const name = { sqlite: 'sqlite', pg: 'postgresql' }[dialect];
  return [`--dialect=${name}`, `--schema=src/schema/schema-${dialect}.ts`];
}
