import { formatUntil } from "../../locales/format.ts";
import { LOOKS } from "./object-states.ts";
import type { Claim } from "./read-claims.ts";
import { CASES, DAYS_LEFT, serviceUntilIn, type Cell, type Platform } from "./states.ts";
import type { About, Figure, Press } from "./statements.ts";

/** Facts beside a cell's state: the driver's sums, as screens write them, and the clock of the screen. */
export type Facts = { figures: Readonly<Record<Figure, readonly string[]>>; now: number; timeZone: string };

/** Claims that contradict the state or another line of the same screen, and those that the screen owes and doesn't make. */
export function judge(claims: readonly Claim[], cell: Cell, facts: Facts): string[] {
  const allowed = allowedIn(cell, facts);
  const untrue = claims.flatMap(({ about, says, line }) =>
    // How many there are is for the screen alone to say.
    about === "attention" || allowed[about].includes(says)
      ? []
      : [`${about} is ${allowed[about].join(" or ") || "unknown"}, not ${says}: "${line}"`],
  );
  const missing = owedIn(cell)
    .filter(([about, says]) => !claims.some((claim) => claim.about === about && claim.says === says))
    .map(([about, says]) => `nothing says that ${about} is ${says}`);
  return [...new Set([...untrue, ...differing(claims), ...missing])];
}

/** Two lines that say different things about one. */
function differing(claims: readonly Claim[]): string[] {
  const single = claims.filter(({ about }) => about !== "press" && about !== "needs");
  return single.flatMap((one, index) =>
    single
      .slice(index + 1)
      .filter((other) => other.about === one.about && other.says !== one.says)
      .map((other) => `${one.about}: "${one.line}" beside "${other.line}"`),
  );
}

function allowedIn(
  cell: Cell,
  { figures, now, timeZone }: Facts,
): Readonly<Record<Exclude<About, "attention">, readonly string[]>> {
  const { name, link } = cell;
  const { looking, checkIn, linked, hasDays, needs, light } = CASES[name];
  const isOffline = link === "offline";
  const isOn = name !== "off" && name !== "off_unlinked";
  const answered = looking === "now" ? ["now", "before"] : ["before"];
  const heard = link === "restarted" || !isOn ? ["never"] : isOffline ? ["before"] : answered;
  return {
    // Nobody knows it without a connection, save that a pause lasts.
    looking: isOffline && name !== "paused" ? [] : [looking],
    capturing: looking === "no" ? [] : ["on"],
    heard,
    checkIn: isOffline ? ["offline", ...(checkIn === "possible" ? [] : [checkIn])] : [checkIn],
    linked: [linked ? "yes" : "no"],
    earnings: ["known"],
    days: [hasDays ? `${DAYS_LEFT} days` : "none"],
    serviceEnd: hasDays ? [formatUntil("en", serviceUntilIn(cell, now), { now, timeZone })] : [],
    renewal: isServed(cell) ? [] : ["waits"],
    paused: hasDays ? [name === "paused" ? "yes" : "no"] : [],
    platform: platformIn(cell),
    budget: [name === "quota_used_up" ? "used up" : linked ? `${LOOKS.left} of ${LOOKS.limit}` : "unknown"],
    hours: hoursIn(cell),
    ...figures,
    connection: isOffline ? ["cut"] : [],
    needs: needs === null ? (light === "answering" || light === "asleep" ? ["nothing"] : []) : [needs],
    light: isOffline ? ["offline"] : link === "restarted" && light === "answering" ? ["starting"] : [light],
    press: isOffline ? [] : pressable(cell),
  };
}

/** The words for the platform: what it does now, and before it was asked again, that it was not. */
function platformIn({ name, link }: Cell): Platform[] {
  const { looking } = CASES[name];
  switch (name) {
    case "throttled":
      return ["waits"];
    case "weekly_limit":
      return ["full"];
    case "unreachable":
      return ["silent"];
    case "unreadable":
    case "blocks_unreadable":
    case "blocks_unreadable_secure":
      return ["unread"];
    case "quota_used_up":
      return [link === "restarted" ? "not asked" : "answers"];
    default:
      if (looking !== "now") return ["not asked"];
      return [link === "restarted" ? "asked" : "answers"];
  }
}

function hoursIn({ name }: Cell): string[] {
  switch (name) {
    case "off":
    case "off_unlinked":
      return [];
    case "asleep":
      return ["ahead"];
    case "asleep_open":
      return ["none"];
    case "limit_reached":
    case "limit_reached_open":
      return ["full"];
    default:
      return ["always"];
  }
}

/** Whether a renewal that falls due now would be for days on which something is done for the driver. */
function isServed({ name }: Cell): boolean {
  return name !== "off" && name !== "no_spot" && CASES[name].linked;
}

/** A visit to the platform is possible without a system that runs; a payment needs a spot. */
function pressable({ name }: Cell): Press[] {
  const { checkIn, needs, hasDays } = CASES[name];
  return [
    "switch",
    "mode",
    ...(checkIn === "possible" ? (["checkIn"] as const) : []),
    "check",
    ...(name === "no_spot" ? [] : (["pay"] as const)),
    ...(hasDays ? (["pause"] as const) : []),
    ...(needs === "verify" ? (["selfie"] as const) : []),
  ];
}

function owedIn(cell: Cell): readonly (readonly [About, string])[] {
  const { name, link, screen } = cell;
  const { checkIn, needs } = CASES[name];
  const isOffline = link === "offline";
  const owed: (readonly [About, string])[] = [];
  if (isOffline) owed.push(["connection", "cut"]);
  const hasRenewal = screen === "/flex/payments" || screen === "/flex/profile";
  if (hasRenewal && CASES[name].hasDays && !isServed(cell) && !isOffline) owed.push(["renewal", "waits"]);
  if (screen !== "/flex/dashboard" || isOffline) return owed;
  if (needs !== null) owed.push(["needs", needs]);
  owed.push(checkIn === "possible" ? ["press", "checkIn"] : ["checkIn", checkIn]);
  return owed;
}
