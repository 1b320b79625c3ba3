ALTER TABLE `issues` ADD `waiting_ordinal` integer;--> statement-breakpoint
CREATE INDEX `issues_waiting_for_repo` ON `issues` (`repo_id`,`waiting_ordinal`) WHERE waiting_ordinal is not null;--> statement-breakpoint
CREATE INDEX `repos_by_remote` ON `repos` (`canonical_remote`);