DROP INDEX `issues_one_active_per_remote`;--> statement-breakpoint
DROP INDEX `issues_one_per_slot`;--> statement-breakpoint
DROP INDEX `issues_queue`;--> statement-breakpoint
DROP INDEX `issues_by_gate_expiry`;--> statement-breakpoint
DROP INDEX `issues_by_parent`;--> statement-breakpoint
DROP INDEX `issues_codehost_number_once`;--> statement-breakpoint
DROP INDEX `issues_codehost_comment_once`;--> statement-breakpoint
DROP INDEX `issues_by_change_request`;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_one_holder_per_remote` ON `issues` (`active_remote`) WHERE active_remote is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_one_holder_per_slot` ON `issues` (`slot`) WHERE slot is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_one_per_place` ON `issues` (`queue_ordinal`) WHERE queue_ordinal is not null;--> statement-breakpoint
CREATE INDEX `issues_by_gate_end` ON `issues` (`gate_expires_at`) WHERE gate_expires_at is not null;--> statement-breakpoint
CREATE INDEX `issues_of_parent` ON `issues` (`parent_issue_id`) WHERE parent_issue_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_imported_once` ON `issues` (`repo_id`,`codehost_number`) WHERE codehost_number is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_one_per_comment` ON `issues` (`repo_id`,`codehost_comment_id`) WHERE codehost_comment_id is not null;--> statement-breakpoint
CREATE INDEX `issues_of_change_request` ON `issues` (`repo_id`,`change_request_number`,`ordinal`) WHERE change_request_number is not null;--> statement-breakpoint
DROP INDEX `repos_by_codehost_repo`;--> statement-breakpoint
CREATE INDEX `repos_of_codehost_repo` ON `repos` (`codehost_repo_id`,`ordinal`) WHERE codehost_repo_id is not null;--> statement-breakpoint
DROP INDEX `users_codehost_id`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_one_per_codehost_id` ON `users` (`codehost_id`) WHERE codehost_id is not null;