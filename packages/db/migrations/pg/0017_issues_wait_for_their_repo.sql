-- outside a transaction: an index that is built concurrently holds no writer up
ALTER TABLE "issues" ADD COLUMN IF NOT EXISTS "waiting_ordinal" bigint;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_waiting_for_repo";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_waiting_for_repo" ON "issues" USING btree ("repo_id","waiting_ordinal") WHERE waiting_ordinal is not null;