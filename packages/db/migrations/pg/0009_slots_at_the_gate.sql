ALTER TABLE "issues" DROP CONSTRAINT "issues_slot_while_running";--> statement-breakpoint
ALTER TABLE "issues" DROP CONSTRAINT "issues_remote_while_active";--> statement-breakpoint
CREATE INDEX "issues_queue_by_user" ON "issues" USING btree ("user_id","queue_ordinal") WHERE queue_ordinal is not null;--> statement-breakpoint
CREATE INDEX "issues_slots_by_user" ON "issues" USING btree ("user_id") WHERE slot is not null;--> statement-breakpoint
CREATE INDEX "issues_by_user_start" ON "issues" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "issues_by_gate_expiry" ON "issues" USING btree ("gate_expires_at");--> statement-breakpoint
ALTER TABLE "issues" ADD CONSTRAINT "issues_slot_while_running" CHECK (status in ('awaiting_approval') or (slot is not null) = (status in ('running', 'human_review')));--> statement-breakpoint
ALTER TABLE "issues" ADD CONSTRAINT "issues_remote_while_active" CHECK ((active_remote is not null) = (slot is not null or queue_ordinal is not null or status in ('awaiting_approval')));