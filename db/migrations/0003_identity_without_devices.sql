DROP TABLE `pool_devices`;--> statement-breakpoint
ALTER TABLE `pool_sessions` DROP COLUMN `device_key`;