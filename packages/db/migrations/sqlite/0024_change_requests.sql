CREATE TABLE `change_requests` (
	`repo_id` text NOT NULL,
	`number` integer NOT NULL,
	`issue_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`state` text NOT NULL,
	`ready_at` integer,
	`merged_at` integer,
	`closed_at` integer,
	`reverted_at` integer,
	`head_commit` text,
	`people_commits` integer DEFAULT 0 NOT NULL,
	`review_rounds` integer DEFAULT 0 NOT NULL,
	`build_rounds` integer DEFAULT 0 NOT NULL,
	`first_build` text,
	`close_asked_at` integer,
	`close_reason` text,
	`close_note` text,
	`close_answered_by` text,
	`close_answered_at` integer,
	`models` text NOT NULL,
	`prompt_revision` text,
	`at_first_sight` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `number`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "change_requests_answer_whole" CHECK((close_reason is null) = (close_answered_by is null) and (close_reason is null) = (close_answered_at is null))
);
--> statement-breakpoint
CREATE INDEX `change_requests_by_issue` ON `change_requests` (`issue_id`);--> statement-breakpoint
INSERT INTO `change_requests` (`repo_id`, `number`, `issue_id`, `opened_at`, `state`, `ready_at`, `merged_at`, `closed_at`, `head_commit`, `review_rounds`, `models`, `at_first_sight`, `updated_at`)
SELECT i.`repo_id`, i.`change_request_number`, i.`id`, coalesce(i.`finished_at`, i.`updated_at`), i.`change_request_state`,
  CASE WHEN i.`change_request_state` <> 'draft' THEN coalesce(i.`finished_at`, i.`updated_at`) END,
  CASE WHEN i.`change_request_state` = 'merged' THEN (SELECT max(e.`at`) FROM `events` e WHERE e.`issue_id` = i.`id` AND e.`type` = 'change_request.updated' AND json_extract(e.`data`, '$.state') = 'merged') END,
  CASE WHEN i.`change_request_state` = 'closed' THEN coalesce((SELECT max(e.`at`) FROM `events` e WHERE e.`issue_id` = i.`id` AND e.`type` = 'change_request.updated' AND json_extract(e.`data`, '$.state') = 'closed'), i.`updated_at`) END,
  json_extract(i.`pipeline`, '$.publication.head_commit'),
  (SELECT count(*) FROM `issues` f WHERE f.`parent_issue_id` = i.`id` AND f.`origin` = 'follow_up'),
  coalesce(json_extract(i.`pipeline`, '$.implementation.made_by'), '[]'),
  json_extract(i.`pipeline`, '$.approved.revision') = 1,
  i.`updated_at`
FROM `issues` i
WHERE i.`change_request_number` IS NOT NULL AND i.`change_request_state` IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM `issues` o WHERE o.`repo_id` = i.`repo_id` AND o.`change_request_number` = i.`change_request_number` AND o.`ordinal` < i.`ordinal`);
