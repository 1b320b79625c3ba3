-- outside a transaction: an index that is built concurrently holds no writer up
DROP INDEX CONCURRENTLY IF EXISTS "change_requests_by_opening";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "change_requests_by_opening" ON "change_requests" USING btree ("repo_id","opened_at");