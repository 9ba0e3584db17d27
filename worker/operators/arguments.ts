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

const MOST_NAMES = 3;

/** The known names that are most like a typed one, the nearest first. */
export function nearestNames(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, edits: editsBetween(typed.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
}

/** How many letters have to be changed, added or removed to make one word of another. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const changed = (row[index - 1] ?? 0) + (other[index - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
