CREATE TABLE `blocks_won` (
	`driver_id` text NOT NULL,
	`block_id` text NOT NULL,
	`offer_id` text NOT NULL,
	`attempt_id` text NOT NULL,
	`warehouse_id` text NOT NULL,
	`service_type` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`pay_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`captured_at` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `block_id`)
);
--> statement-breakpoint
CREATE INDEX `blocks_won_driver_captured` ON `blocks_won` (`driver_id`,`captured_at`);--> statement-breakpoint
CREATE TABLE `filters` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`save_id` text NOT NULL,
	`min_hourly_cents` integer,
	`schedule` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `heartbeats` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`object_name` text NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `heartbeats_due_at` ON `heartbeats` (`due_at`);--> statement-breakpoint
CREATE TABLE `service_credits` (
	`source` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `service_credits_driver` ON `service_credits` (`driver_id`,`at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`name` text NOT NULL,
	`preferred_phone_number` text,
	`language` text NOT NULL,
	`mode` text NOT NULL,
	`special_mode` text,
	`switched_on` integer NOT NULL,
	`waiting_for_spot` integer NOT NULL,
	`referral` text NOT NULL,
	`human_timezone` text NOT NULL,
	`human_region` text,
	`flex_email` text,
	`proxy_installed` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_phone_number` ON `users` (`phone_number`);--> statement-breakpoint
CREATE TABLE `warehouse_filters` (
	`driver_id` text NOT NULL,
	`warehouse_id` text NOT NULL,
	`selected` integer NOT NULL,
	`min_price_cents` integer NOT NULL,
	`buffer_minutes` integer NOT NULL,
	`min_hourly_cents` integer NOT NULL,
	`durations` text NOT NULL,
	`only_hourly` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `warehouse_id`)
);
