DROP INDEX `issues_by_user`;--> statement-breakpoint
DROP INDEX `issues_by_repo`;--> statement-breakpoint
CREATE INDEX `issues_of_user` ON `issues` (`user_id`,`ordinal`,`repo_id`);--> statement-breakpoint
CREATE INDEX `issues_of_repo` ON `issues` (`repo_id`,`ordinal`,`user_id`);