import { checkCards } from "./check-cards.ts";
import { checkChat } from "./check-chat.ts";
import { checkConsole } from "./check-console.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDeployment } from "./check-deployment.ts";
import { checkNotifications } from "./check-notifications.ts";
import { checkPlatform } from "./check-platform.ts";
import { checkRegistering } from "./check-registering.ts";
import { checkTexts } from "./check-texts.ts";
import type { Check, Finding, Means } from "./means.ts";

const CHECKS: readonly Check[] = [
  checkDatabase,
  checkPlatform,
  checkTexts,
  checkRegistering,
  checkCards,
  checkConsole,
  checkNotifications,
  checkChat,
  checkDeployment,
];

/** Asks each outside service, all at once. */
export async function examine(means: Means): Promise<Finding[]> {
  return (await Promise.all(CHECKS.map((check) => check(means)))).flat();
}

/** A line for each finding, and whether nothing is wrong. */
export function describeFindings(findings: readonly Finding[]): { lines: string[]; isWell: boolean } {
  const count = (verdict: Finding["verdict"]) => findings.filter((found) => found.verdict === verdict).length;
  const lines = findings.map(
    ({ verdict, about, words }) => `${verdict.padEnd(9)}${about.padEnd(15)}${words}`,
  );
  const sums = `${count("right")} right, ${count("wrong")} wrong, ${count("unasked")} not asked`;
  return { lines: [...lines, sums], isWell: count("wrong") === 0 };
}
