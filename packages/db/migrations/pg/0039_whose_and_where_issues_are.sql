-- outside a transaction: an index that is built concurrently holds no writer up
DROP INDEX CONCURRENTLY IF EXISTS "issues_of_user";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_of_user" ON "issues" USING btree ("user_id","ordinal","repo_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_of_repo";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_of_repo" ON "issues" USING btree ("repo_id","ordinal","user_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_user";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_repo";