CREATE TABLE `won_days` (
	`driver_id` text NOT NULL,
	`day` integer NOT NULL,
	`currency` text NOT NULL,
	`blocks` integer NOT NULL,
	`pay_cents` integer NOT NULL,
	`minutes` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `day`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `stripe_events_received` ON `stripe_events` (`received_at`);