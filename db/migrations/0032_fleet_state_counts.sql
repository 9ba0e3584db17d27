CREATE TABLE `fleet_state_counts` (
	`quarter` integer NOT NULL,
	`state` text NOT NULL,
	`drivers` integer NOT NULL,
	PRIMARY KEY(`quarter`, `state`)
);
