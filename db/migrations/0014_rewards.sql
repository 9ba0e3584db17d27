CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`score` integer,
	`comment` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_driver` ON `feedback` (`driver_id`,`at`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`inviter_id` text NOT NULL,
	`phone_number` text,
	`friend_id` text,
	`has_trial` integer NOT NULL,
	`payment_id` text,
	`completed_at` integer,
	`revoked_at` integer,
	`revocations` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_inviter_number` ON `invitations` (`inviter_id`,`phone_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_friend` ON `invitations` (`friend_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_payment` ON `invitations` (`payment_id`);--> statement-breakpoint
CREATE INDEX `invitations_number` ON `invitations` (`phone_number`);--> statement-breakpoint
CREATE TABLE `invite_codes` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invite_codes_code` ON `invite_codes` (`code`);--> statement-breakpoint
CREATE TABLE `invited_numbers` (
	`phone_number` text PRIMARY KEY NOT NULL,
	`texted_at` integer,
	`trial_at` integer,
	`rewarded_at` integer
);
--> statement-breakpoint
CREATE TABLE `reward_redemptions` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`reward` text NOT NULL,
	`points` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reward_redemptions_driver` ON `reward_redemptions` (`driver_id`);