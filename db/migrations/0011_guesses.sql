CREATE TABLE `guesses` (
	`subject` text PRIMARY KEY NOT NULL,
	`wrong` integer NOT NULL,
	`locked_until` integer NOT NULL,
	`last_at` integer NOT NULL,
	`forgotten_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `guesses_forgotten_at` ON `guesses` (`forgotten_at`);