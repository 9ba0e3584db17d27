import { URL } from "node:url";
import { openDb } from "../../../db/client.ts";
import {
  countGuessStatements,
  readGuessCount,
  type GuessPolicy,
} from "../../../db/queries/identity/guesses.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { DEFAULT_LIMITS } from "../../../worker/identity/pool-context.ts";
import { LINK_POLICY } from "../../../worker/routes/work/link-tries.ts";
import { SimulatedD1 } from "../host/d1.ts";

const YEAR_MS = 365 * DAY_MS;

export type GuessingFigures = {
  /** Passwords and codes that strangers get checked at one account in its first day and in a year. */
  guessesADay: number;
  guessesAYear: number;
  /** The chance of one code of six digits among them to be right. */
  codeChance: number;
  /** Passwords that one driver gets relayed to the platform in a day and in a year. */
  relayedADay: number;
  relayedAYear: number;
};

/** Guesses for a year, each time as soon as it is let, against the real ladders in SQLite. */
export async function playGuessing(): Promise<GuessingFigures> {
  const binding = new SimulatedD1(new URL("../../../db/migrations/", import.meta.url)).bind(async (work) =>
    work(),
  );
  const db = openDb(binding);
  const start = Date.UTC(2026, 0, 5);

  async function guess(subject: string, policy: GuessPolicy): Promise<{ day: number; year: number }> {
    let now: EpochMs = start;
    const checked = { day: 0, year: 0 };
    while (now < start + YEAR_MS) {
      const limits = [{ subject, policy }];
      const count = readGuessCount(await db.batch(countGuessStatements(db, limits, now)), limits, now);
      if (count.kind === "locked") {
        now = count.until;
        continue;
      }
      checked.year += 1;
      if (now < start + DAY_MS) checked.day += 1;
      now += MINUTE_MS;
    }
    return checked;
  }

  const account = await guess("account", DEFAULT_LIMITS.guesses);
  const relay = await guess("link driver", LINK_POLICY);
  return {
    guessesADay: account.day,
    guessesAYear: account.year,
    codeChance: account.year / 1e6,
    relayedADay: relay.day,
    relayedAYear: relay.year,
  };
}

if (import.meta.main) console.log(JSON.stringify(await playGuessing()));
