CREATE INDEX "request_answers_at" ON "request_answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sessions_expired" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_revoked" ON "sessions" USING btree ("revoked_at") WHERE revoked_at is not null;--> statement-breakpoint
CREATE INDEX "sessions_idle" ON "sessions" USING btree ("idle_ends_at") WHERE idle_ends_at is not null;