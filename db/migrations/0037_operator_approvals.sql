CREATE TABLE `operator_approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`act` text NOT NULL,
	`input` text NOT NULL,
	`worth_cents` integer NOT NULL,
	`operator` text NOT NULL,
	`role` text NOT NULL,
	`asked_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`is_approved` integer
);
--> statement-breakpoint
CREATE INDEX `operator_approvals_asked_at` ON `operator_approvals` (`asked_at`);--> statement-breakpoint
CREATE INDEX `operator_approvals_driver` ON `operator_approvals` (`driver_id`);