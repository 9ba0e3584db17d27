import * as z from "zod/mini";
import { planForSale } from "../../db/shapes/money/plans.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { recordOf } from "../../db/shapes/record-of.ts";
import { readPrize, type RaffleTerms } from "../../db/shapes/money/raffle.ts";

/** The arguments are not those of the command: its usage is shown. */
export class UsageError extends Error {
  override name = "UsageError";
}

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** Days from the first to the end of the last, in UTC; null if they are none. */
export function parseDaySpan(from: unknown, to: unknown): { from: EpochMs; to: EpochMs } | null {
  const [first, last] = [z.safeParse(day, from), z.safeParse(day, to)];
  if (!first.success || !last.success) return null;
  const span = { from: Date.parse(first.data), to: Date.parse(last.data) + DAY_MS };
  return span.from < span.to ? span : null;
}

/** A span of days in UTC as calendar days, both included, in parts of at most so many. */
export function splitDays(
  { from, to }: { from: EpochMs; to: EpochMs },
  most: number,
): { from: string; to: string }[] {
  const dayOf = (at: EpochMs) => new Date(at).toISOString().slice(0, 10);
  const parts = Array.from(
    { length: Math.ceil((to - from) / (most * DAY_MS)) },
    (_, index) => from + index * most * DAY_MS,
  );
  return parts.map((start) => ({ from: dayOf(start), to: dayOf(Math.min(to, start + most * DAY_MS) - 1) }));
}

/** A count from 0, as it was typed; null if it is none. */
export function parseCount(text: unknown): number | null {
  return typeof text === "string" && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

const id = z.string().check(z.regex(/^[\w-]{1,64}$/));

/** The raffle that the arguments describe; null if something is missing or malformed. */
export function parsePromotion(values: Readonly<Record<string, unknown>>): RaffleTerms | null {
  const span = parseDaySpan(values["from"], values["to"]);
  const winners = parseCount(values["winners"]);
  const [name, plan] = [z.safeParse(id, values["id"]), z.safeParse(planForSale, values["plan"])];
  const given = recordOf(LANGUAGES, (language) => values[`prize-${language}`]);
  const prize = readPrize(given);
  const isHalfNamed = prize === null && Object.values(given).some((text) => text !== undefined);
  if (!span || !winners || !name.success || !plan.success || isHalfNamed) return null;
  const { from: startsAt, to: endsAt } = span;
  return {
    id: name.data,
    plan: plan.data,
    startsAt,
    endsAt,
    winners,
    prize,
  };
}
