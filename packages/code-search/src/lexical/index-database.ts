import type Database from 'better-sqlite3';
import type { DatabaseShape } from '../thread/derived-database.ts';

export type IndexDatabase = Database.Database;

/** Raised with every change of the schema or of what is indexed: an index of another version is rebuilt. */
const VERSION = 2;

/*
 * What a blob holds is stored once per repository: `chunks` has the text, the full-text table `words_<repo>` the
 * words. `paths` is what a search sees. A blob without a path is work done ahead (or left over) and is never found.
 * One full-text table a repository: words are weighed by how rare they are in that repository alone, and dropping
 * one is dropping a table.
 */
const SCHEMA = `
create table repos (
  num integer primary key,
  repo text not null unique,
  commit_id text,
  files integer not null default 0,
  chunks integer not null default 0,
  updated_at text
);
create table blobs (
  num integer primary key,
  repo integer not null references repos,
  blob text not null,
  paths text not null,
  weight real not null,
  unique (repo, blob)
);
create table chunks (
  num integer primary key,
  blob integer not null references blobs,
  start_line integer not null,
  end_line integer not null,
  symbol text,
  names text not null,
  text text not null
);
create index chunks_by_blob on chunks (blob, start_line);
create table paths (
  repo integer not null references repos,
  path text not null,
  blob integer not null references blobs,
  primary key (repo, path)
) without rowid;
create index paths_by_blob on paths (blob);
`;

export const indexShape: DatabaseShape = { version: VERSION, schema: SCHEMA };
