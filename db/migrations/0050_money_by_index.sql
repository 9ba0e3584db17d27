DROP INDEX `payments_settled_at`;--> statement-breakpoint
CREATE INDEX `payments_money` ON `payments` (`settled_at`,`total_cents`,`currency`,`plan`,`driver_id`,`processor_fee_cents`);--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`driver_id`,`settled_at`) WHERE total_cents > 0 AND settled_at IS NOT NULL;