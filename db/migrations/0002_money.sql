CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`intent_id` text,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`price_cents` integer NOT NULL,
	`cut_id` text,
	`cut_kind` text,
	`cut_ends_at` integer,
	`cut_cents` integer NOT NULL,
	`points` integer NOT NULL,
	`points_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`receipt_url` text,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent` ON `payments` (`intent_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_under_way` ON `payments` (`driver_id`) WHERE status IN ('open', 'processing');--> statement-breakpoint
CREATE INDEX `payments_driver` ON `payments` (`driver_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_status` ON `payments` (`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `point_entries` (
	`source` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`points` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `point_entries_driver` ON `point_entries` (`driver_id`,`at`);--> statement-breakpoint
CREATE TABLE `price_cuts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`plan` text NOT NULL,
	`price_cents` integer NOT NULL,
	`driver_id` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `price_cuts_ends_at` ON `price_cuts` (`ends_at`);--> statement-breakpoint
CREATE TABLE `promotions` (
	`id` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`winners` integer NOT NULL,
	`seed_hash` text NOT NULL,
	`seed` text
);
--> statement-breakpoint
CREATE TABLE `raffle_entries` (
	`promotion_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`promotion_id`, `payment_id`)
);
--> statement-breakpoint
CREATE INDEX `raffle_entries_driver` ON `raffle_entries` (`driver_id`);--> statement-breakpoint
CREATE TABLE `service_news` (
	`source` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stripe_customers` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stripe_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`intent_id` text,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `users` ADD `notifications` text;