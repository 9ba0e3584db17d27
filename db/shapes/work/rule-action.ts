import * as z from "zod/mini";

/** The action on an offer that fits a rule, the strongest first: take it, ask the driver, or only tell of it. */
export const RULE_ACTIONS = ["take", "ask", "tell"] as const;
export const ruleAction = z.enum(RULE_ACTIONS);
export type RuleAction = z.infer<typeof ruleAction>;

/** How long a question waits for an answer, in seconds. */
export const ASK_SECONDS = { least: 15, most: 120, usual: 60 } as const;
export const askSeconds = z.int().check(z.minimum(ASK_SECONDS.least), z.maximum(ASK_SECONDS.most));

/** The action of a rule that lets an offer through. */
export type WantedAction = { action: RuleAction; askSeconds: number };

/** The strongest action of those rules; of several that ask, the one that waits longest. Null without any. */
export function strongestAction(rules: readonly WantedAction[]): WantedAction | null {
  for (const action of RULE_ACTIONS) {
    const found = rules.filter((rule) => rule.action === action);
    if (found.length > 0) return { action, askSeconds: Math.max(...found.map((rule) => rule.askSeconds)) };
  }
  return null;
}
