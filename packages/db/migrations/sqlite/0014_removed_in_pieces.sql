ALTER TABLE `repos` ADD `removed_at` integer;--> statement-breakpoint
CREATE INDEX `repos_removed` ON `repos` (`removed_at`) WHERE removed_at is not null;--> statement-breakpoint
DELETE FROM `codehost_polls` WHERE NOT EXISTS (SELECT 1 FROM `repos` WHERE `repos`.`codehost_repo_id` = `codehost_polls`.`codehost_repo_id`);
