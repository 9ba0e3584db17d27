CREATE TABLE `operator_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt` text NOT NULL,
	`operator` text NOT NULL,
	`role` text NOT NULL,
	`act` text NOT NULL,
	`driver_id` text,
	`what` text NOT NULL,
	`reason` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	`worth_cents` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_acts_at` ON `operator_acts` (`at`);--> statement-breakpoint
CREATE INDEX `operator_acts_driver` ON `operator_acts` (`driver_id`,`at`);--> statement-breakpoint
CREATE TABLE `operator_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`driver_id` text NOT NULL,
	`payment_id` text,
	`cents` integer,
	`is_goodwill` integer DEFAULT false NOT NULL,
	`due_at` integer NOT NULL,
	`keys_used` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_orders_due_at` ON `operator_orders` (`due_at`);--> statement-breakpoint
CREATE INDEX `operator_orders_payment` ON `operator_orders` (`payment_id`);--> statement-breakpoint
CREATE INDEX `users_phone_end` ON `users` (substr(phone_number, -4));--> statement-breakpoint
CREATE INDEX `users_preferred_phone` ON `users` (`preferred_phone_number`) WHERE preferred_phone_number IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `users_flex_email` ON `users` (flex_email COLLATE NOCASE);--> statement-breakpoint
CREATE TRIGGER `operator_acts_unchanged` BEFORE UPDATE ON `operator_acts` BEGIN SELECT RAISE(ABORT, 'acts are never changed'); END;--> statement-breakpoint
CREATE TRIGGER `operator_acts_kept` BEFORE DELETE ON `operator_acts` BEGIN SELECT RAISE(ABORT, 'acts are never deleted'); END;
