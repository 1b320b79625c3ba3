/** Raised with every change of the tables or of what is indexed: each version has its own tables. */
const VERSION = 1;

const NAME = 'sluice_index';

/**
 * The schema of this version. Its name tells the version, so that the one before goes on beside this one while a service
 * is updated host by host; what is older still is dropped.
 */
export const SCHEMA = `${NAME}_${VERSION}`;

/** Tells schemas that can be dropped. @returns whether a schema is an index of a version that no process runs any more */
export function isOutdated(schema: string): boolean {
  const [, version] = new RegExp(`^${NAME}_(\\d{1,9})$`).exec(schema) ?? [];
  return version !== undefined && Number(version) < VERSION - 1;
}

/*
 * `chunks` has the text of a content, `words` what it is found by: apart, since a search reads many of the words and few
 * of the texts. `paths` and `blobs.searched` are what a search sees; a blob that is not searched is work done ahead, or left over.
 *
 * GIN takes a second column only with an extension, so the repository stands in front of each word (`repoMark`), and one
 * index serves all repositories. Words stay in their row uncompressed up to a page: `ts_rank` reads them once for each word of
 * a question. Without `fastupdate` no search has to go through a list of what is not yet in the index.
 */
export const TABLES = `
create table ${SCHEMA}.repos (
  num integer primary key generated always as identity,
  repo uuid not null unique,
  commit_id text,
  files integer not null default 0,
  chunks integer not null default 0,
  words bigint not null default 0,
  updated_at timestamptz
);
create table ${SCHEMA}.blobs (
  num bigint primary key generated always as identity,
  repo integer not null references ${SCHEMA}.repos,
  blob text collate "C" not null,
  paths text collate "C" not null,
  weight real not null,
  searched boolean not null default false,
  unique (repo, blob)
);
create index blobs_left_over on ${SCHEMA}.blobs (repo) where not searched;
create table ${SCHEMA}.chunks (
  blob bigint not null,
  start_line integer not null,
  end_line integer not null,
  symbol text,
  names text not null,
  text text not null,
  primary key (blob, start_line)
);
create table ${SCHEMA}.words (
  blob bigint not null,
  start_line integer not null,
  length integer not null,
  words tsvector not null,
  primary key (blob, start_line)
) with (toast_tuple_target = 8160);
create index words_by_word on ${SCHEMA}.words using gin (words) with (fastupdate = off);
create table ${SCHEMA}.paths (
  repo integer not null references ${SCHEMA}.repos,
  path text collate "C" not null,
  blob bigint not null references ${SCHEMA}.blobs,
  primary key (repo, path)
);
create index paths_by_blob on ${SCHEMA}.paths (blob);
`;
