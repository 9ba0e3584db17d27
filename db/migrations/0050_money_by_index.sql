DROP INDEX `payments_settled_at`;--> statement-breakpoint
CREATE INDEX `payments_money` ON `payments` (`settled_at`,`total_cents`,`currency`,`plan`,`driver_id`,`processor_fee_cents`);