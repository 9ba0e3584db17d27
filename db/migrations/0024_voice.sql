CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`en` text NOT NULL,
	`es` text NOT NULL,
	`pt` text NOT NULL,
	`audience` text NOT NULL,
	`audience_of` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`told_up_to` text DEFAULT '' NOT NULL,
	`told` integer DEFAULT 0 NOT NULL,
	`is_told` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `announcements_ends_at` ON `announcements` (`ends_at`);--> statement-breakpoint
CREATE INDEX `announcements_untold` ON `announcements` (`is_told`,`starts_at`);--> statement-breakpoint
CREATE TABLE `error_group_drivers` (
	`group_id` text NOT NULL,
	`driver_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `driver_id`)
);
--> statement-breakpoint
CREATE INDEX `error_group_drivers_driver` ON `error_group_drivers` (`driver_id`);--> statement-breakpoint
CREATE TABLE `error_group_versions` (
	`group_id` text NOT NULL,
	`version` text NOT NULL,
	`reports` integer NOT NULL,
	PRIMARY KEY(`group_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `error_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`caller` text NOT NULL,
	`name` text NOT NULL,
	`message` text,
	`place` text,
	`reports` integer NOT NULL,
	`drivers` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`request_id` text NOT NULL,
	`stack` text,
	`resolved_at` integer
);
--> statement-breakpoint
CREATE INDEX `error_groups_last_seen` ON `error_groups` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `feedback_at` ON `feedback` (`at`,`score`);--> statement-breakpoint
CREATE INDEX `feedback_comments` ON `feedback` (`at`,`id`) WHERE comment IS NOT NULL;