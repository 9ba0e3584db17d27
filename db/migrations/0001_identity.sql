CREATE TABLE `pool_attempts` (
	`subject` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`locked_until` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pool_attempts_last_at` ON `pool_attempts` (`last_at`);--> statement-breakpoint
CREATE TABLE `pool_codes` (
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`tries_left` integer NOT NULL,
	`sent_at` integer NOT NULL,
	`window_started_at` integer NOT NULL,
	`sent_in_window` integer NOT NULL,
	PRIMARY KEY(`user_id`, `purpose`)
);
--> statement-breakpoint
CREATE INDEX `pool_codes_window` ON `pool_codes` (`window_started_at`);--> statement-breakpoint
CREATE TABLE `pool_devices` (
	`device_key` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`group_key` text NOT NULL,
	`password` text,
	`name` text,
	`remembered` integer NOT NULL,
	`created_at` integer NOT NULL,
	`modified_at` integer NOT NULL,
	`authenticated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pool_devices_user` ON `pool_devices` (`user_id`);--> statement-breakpoint
CREATE TABLE `pool_nonces` (
	`nonce` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pool_nonces_expires` ON `pool_nonces` (`expires_at`);--> statement-breakpoint
CREATE TABLE `pool_sessions` (
	`origin_jti` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`device_key` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `pool_sessions_user` ON `pool_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `pool_sessions_expires` ON `pool_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `pool_signing_keys` (
	`key_use` text NOT NULL,
	`generation` integer NOT NULL,
	`kid` text NOT NULL,
	`private_key` text NOT NULL,
	`modulus` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`key_use`, `generation`)
);
--> statement-breakpoint
CREATE TABLE `pool_users` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_number` text NOT NULL,
	`phone_verified` integer NOT NULL,
	`pending_phone` text,
	`status` text NOT NULL,
	`enabled` integer NOT NULL,
	`password` text NOT NULL,
	`attributes` text NOT NULL,
	`sms_mfa` integer NOT NULL,
	`software_token_mfa` integer NOT NULL,
	`preferred_mfa` text,
	`totp_secret` text,
	`totp_pending` text,
	`totp_name` text,
	`totp_used_step` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pool_users_phone_number` ON `pool_users` (`phone_number`);