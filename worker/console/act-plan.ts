import type { DriverId } from "../../db/shapes/units.ts";
import type { performAct, ConsoleContext } from "./acts.ts";

/** Plans an act by how things stand now. */
export type ActPlan = Parameters<typeof performAct>[2];

/** A driver, and the act's key, which its effects are named by. */
export type Target = { context: ConsoleContext; driverId: DriverId; id: string };
