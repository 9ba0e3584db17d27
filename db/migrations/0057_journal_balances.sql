CREATE TABLE `journal_balances` (
	`day` integer NOT NULL,
	`account` text NOT NULL,
	`unit` text NOT NULL,
	`is_use` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`day`, `account`, `unit`, `is_use`)
);
