-- outside a transaction: an index that is built concurrently holds no writer up, and the rule of the one before holds all the while
DROP INDEX CONCURRENTLY IF EXISTS "issues_one_holder_per_remote";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "issues_one_holder_per_remote" ON "issues" USING btree ("active_remote") WHERE active_remote is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_one_holder_per_slot";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "issues_one_holder_per_slot" ON "issues" USING btree ("slot") WHERE slot is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_one_per_place";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "issues_one_per_place" ON "issues" USING btree ("queue_ordinal") WHERE queue_ordinal is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_gate_end";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_by_gate_end" ON "issues" USING btree ("gate_expires_at") WHERE gate_expires_at is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_of_parent";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_of_parent" ON "issues" USING btree ("parent_issue_id") WHERE parent_issue_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_imported_once";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "issues_imported_once" ON "issues" USING btree ("repo_id","codehost_number") WHERE codehost_number is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_one_per_comment";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "issues_one_per_comment" ON "issues" USING btree ("repo_id","codehost_comment_id") WHERE codehost_comment_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_of_change_request";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "issues_of_change_request" ON "issues" USING btree ("repo_id","change_request_number","ordinal") WHERE change_request_number is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "repos_of_codehost_repo";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "repos_of_codehost_repo" ON "repos" USING btree ("codehost_repo_id","ordinal") WHERE codehost_repo_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_one_per_codehost_id";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "users_one_per_codehost_id" ON "users" USING btree ("codehost_id") WHERE codehost_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_one_active_per_remote";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_one_per_slot";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_queue";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_gate_expiry";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_parent";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_codehost_number_once";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_codehost_comment_once";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "issues_by_change_request";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "repos_by_codehost_repo";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_codehost_id";