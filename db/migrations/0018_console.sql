ALTER TABLE `operator_orders` ADD `keys_used` integer NOT NULL;--> statement-breakpoint
CREATE TRIGGER `operator_acts_unchanged` BEFORE UPDATE ON `operator_acts` BEGIN SELECT RAISE(ABORT, 'acts are never changed'); END;--> statement-breakpoint
CREATE TRIGGER `operator_acts_kept` BEFORE DELETE ON `operator_acts` BEGIN SELECT RAISE(ABORT, 'acts are never deleted'); END;
