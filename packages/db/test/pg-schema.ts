import type { PostgresDatabases } from '@sluice/testing';

/** All of a database's own tables: columns, constraints, indexes and triggers, by name and not in the order in which they came. */
const DESCRIBE = `
with ours as (
  select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'migrations')
select format('%s.%s %s%s%s%s', relname, attname, format_type(atttypid, atttypmod),
    case when attnotnull then ' not null' else '' end,
    case attidentity when 'a' then ' always' when 'd' then ' by default' else '' end,
    ' ' || pg_get_expr(adbin, adrelid)) as line
  from ours join pg_attribute on attrelid = ours.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
union all select format('%s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid)) from ours join pg_constraint on conrelid = ours.oid
union all select pg_get_indexdef(indexrelid) from ours join pg_index on indrelid = ours.oid
union all select pg_get_triggerdef(pg_trigger.oid) from ours join pg_trigger on tgrelid = ours.oid where not tgisinternal
order by 1`;

/** What Postgres itself says of the tables in a database. */
export async function describePgSchema(server: PostgresDatabases, url: string): Promise<string> {
  return (await server.query(DESCRIBE, nameOf(url))).map(({ line }) => line).join('\n');
}

export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
