CREATE TABLE `sent_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`account` text,
	`status` text NOT NULL,
	`sent_at` integer NOT NULL,
	`reported_at` integer
);
--> statement-breakpoint
CREATE INDEX `sent_texts_sent_at` ON `sent_texts` (`sent_at`);--> statement-breakpoint
CREATE INDEX `sent_texts_account` ON `sent_texts` (`account`);--> statement-breakpoint
CREATE TABLE `text_failures` (
	`phone_number` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`permanent_failures` integer NOT NULL,
	`problem` text NOT NULL,
	`failed_at` integer NOT NULL,
	`paused_at` integer
);
--> statement-breakpoint
CREATE INDEX `text_failures_failed_at` ON `text_failures` (`failed_at`);--> statement-breakpoint
CREATE TABLE `text_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`word` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `text_replies_phone_number` ON `text_replies` (`phone_number`,`at`);