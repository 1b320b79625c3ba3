-- outside a transaction: an index that is built concurrently holds no writer up
ALTER TABLE "issues" ADD COLUMN IF NOT EXISTS "waiting_ordinal" bigint;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_waiting_for_repo";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_waiting_for_repo" ON "issues" USING btree ("repo_id","waiting_ordinal") WHERE waiting_ordinal is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "repos_by_remote";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "repos_by_remote" ON "repos" USING btree ("canonical_remote");