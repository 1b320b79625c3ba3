DROP INDEX `issues_slots_by_user`;--> statement-breakpoint
CREATE INDEX `issues_slots_of_user` ON `issues` (`user_id`,`slot`) WHERE slot is not null;--> statement-breakpoint
CREATE INDEX `issues_by_user_status` ON `issues` (`user_id`,`status`,`ordinal`);--> statement-breakpoint
CREATE INDEX `issues_by_repo_status` ON `issues` (`repo_id`,`status`,`ordinal`);--> statement-breakpoint
CREATE INDEX `events_by_user` ON `events` (`user_id`,`ordinal`);