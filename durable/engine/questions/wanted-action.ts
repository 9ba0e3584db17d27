import { ASK_SECONDS, strongestAction, type WantedAction } from "../../../db/shapes/work/rule-action.ts";
import type { Match } from "../verdicts/match.ts";

/** The strongest action of the rules that let an offer through. */
export function wantedAction({ rules }: Pick<Match, "rules">): WantedAction {
  const actions = rules.map(({ requirements }) => requirements);
  return strongestAction(actions) ?? { action: "take", askSeconds: ASK_SECONDS.usual };
}
