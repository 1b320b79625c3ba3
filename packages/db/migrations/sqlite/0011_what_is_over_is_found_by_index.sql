CREATE INDEX `request_answers_at` ON `request_answers` (`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_expired` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_revoked` ON `sessions` (`revoked_at`) WHERE revoked_at is not null;--> statement-breakpoint
CREATE INDEX `sessions_idle` ON `sessions` (`idle_ends_at`) WHERE idle_ends_at is not null;