-- outside a transaction: an index that is built concurrently holds no writer up
DROP INDEX CONCURRENTLY IF EXISTS "events_by_user";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "events_by_user" ON "events" USING btree ("user_id","ordinal");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_slots_of_user";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_slots_of_user" ON "issues" USING btree ("user_id","slot") WHERE slot is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_user_status";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_by_user_status" ON "issues" USING btree ("user_id","status","ordinal");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_repo_status";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_by_repo_status" ON "issues" USING btree ("repo_id","status","ordinal");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_slots_by_user";
