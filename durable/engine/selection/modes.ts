import type { Mode } from "../../../db/shapes/work/filters.ts";
import type { DurationMs } from "../../../db/shapes/units.ts";

/** How matching offers are chosen: `select.ts` has a function for each. */
export type SelectionName = "best_paying_set" | "earliest_first" | "highest_pay_first";

/** How a mode polls and accepts. */
type ModeRules = {
  /** How often it polls, before jitter; never more often than the operator's floor. */
  intervalMs: DurationMs;
  /** How many new accepts it may have in flight at once. */
  mostPending: number;
  /** Whether the held blocks are fetched anew before each accept. */
  readsBlocksFirst: boolean;
  /** Which of the matching offers it accepts. */
  selection: SelectionName;
};

export const MODE_RULES: Readonly<Record<Mode, ModeRules>> = {
  lucrative: { intervalMs: 3000, mostPending: 4, readsBlocksFirst: false, selection: "best_paying_set" },
  secure: { intervalMs: 8000, mostPending: 1, readsBlocksFirst: true, selection: "earliest_first" },
  /** As often as the operator allows. */
  masacre: { intervalMs: 0, mostPending: 4, readsBlocksFirst: false, selection: "highest_pay_first" },
};
