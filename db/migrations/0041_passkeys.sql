CREATE TABLE `pool_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pool_passkeys_credential` ON `pool_passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `pool_passkeys_user` ON `pool_passkeys` (`user_id`);--> statement-breakpoint
CREATE INDEX `pool_passkeys_removed` ON `pool_passkeys` (`removed_at`);--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `passkey_id` text;