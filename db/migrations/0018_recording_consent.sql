ALTER TABLE `users` ADD `recording_consent` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `recording_consent_at` integer;