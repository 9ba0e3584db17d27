import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import { makeSeed, sealSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { parseLocalTime } from "../forms/deployment-forms.ts";
import { parseReason } from "../forms/typed-values.ts";

const SHORTEST_PASSPHRASE = 12;
const MOST_WINNERS = 1000;

/** The prize as it was typed, in each language. */
type Prize = Record<Language, string>;

/** The values typed into the form of a new raffle. */
export type RaffleInput = Prize & {
  raffle: string;
  plan: PlanForSale;
  from: string;
  to: string;
  winners: string;
  passphrase: string;
  isKept: boolean;
  reason: string;
};
export type RaffleIssues = Partial<
  Record<Language | "raffle" | "from" | "to" | "winners" | "passphrase" | "isKept" | "reason", true>
>;
/** A raffle before its seed is made. */
export type RaffleDraft = Omit<Extract<DeploymentAct, { act: "raffle" }>, "seedHash" | "sealedSeed">;

/** The raffle that a form describes, or what is wrong with it. */
export function parseRaffle(input: RaffleInput): { draft: RaffleDraft } | { issues: RaffleIssues } {
  const [startsAt, endsAt] = [parseLocalTime(input.from), parseLocalTime(input.to)];
  const winners = /^\d{1,4}$/.test(input.winners.trim()) ? Number(input.winners) : 0;
  const [raffle, reason] = [input.raffle.trim(), parseReason(input.reason)];
  const prize = recordOf(LANGUAGES, (language) => input[language].trim());
  const said = LANGUAGES.filter((language) => prize[language] !== "").length;
  const issues: RaffleIssues = {
    ...(!/^[\w-]{1,64}$/.test(raffle) && { raffle: true }),
    ...(startsAt === null && { from: true }),
    ...((endsAt === null || (startsAt !== null && endsAt <= startsAt)) && { to: true }),
    ...((winners < 1 || winners > MOST_WINNERS) && { winners: true }),
    ...(said !== 0 && said !== LANGUAGES.length && recordOf(LANGUAGES, () => true as const)),
    ...(input.passphrase.length < SHORTEST_PASSPHRASE && { passphrase: true }),
    ...(!input.isKept && { isKept: true }),
    ...(reason === null && { reason: true }),
  };
  if (startsAt === null || endsAt === null || reason === null || Object.keys(issues).length > 0)
    return { issues };
  const { plan } = input;
  return {
    draft: {
      act: "raffle",
      raffle,
      plan,
      startsAt,
      endsAt,
      winners,
      prize: said > 0 ? prize : null,
      reason,
    },
  };
}

/** Makes the seed of a raffle, which only the passphrase opens from here on. */
export async function sealRaffle(draft: RaffleDraft, passphrase: string): Promise<DeploymentAct> {
  const seed = makeSeed();
  const sealedSeed = await sealSeed(seed, { passphrase, id: draft.raffle });
  return { ...draft, seedHash: await sha256Hex(seed), sealedSeed };
}
