import type { About, Claim, Press } from "./read-claims.ts";
import { CASES, DAYS_LEFT, type Cell } from "./states.ts";

/** Claims that contradict the state or another line of the same screen, and those that the screen owes and doesn't make. */
export function judge(claims: readonly Claim[], cell: Cell): string[] {
  const allowed = allowedIn(cell);
  const untrue = claims
    .filter(({ about, says }) => !allowed[about].includes(says))
    .map(
      ({ about, says, line }) =>
        `${about} is ${allowed[about].join(" or ") || "unknown"}, not ${says}: "${line}"`,
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

function allowedIn(cell: Cell): Readonly<Record<About, readonly string[]>> {
  const { name, link } = cell;
  const { looking, checkIn, linked, hasDays, needs, light } = CASES[name];
  const isOffline = link === "offline";
  const isOn = name !== "off" && name !== "off_unlinked";
  const answered = looking === "now" ? ["now", "before"] : ["before"];
  const heard = link === "restarted" || !isOn ? ["never"] : isOffline ? ["before"] : answered;
  return {
    // Nobody knows it without a connection.
    looking: isOffline ? [] : [looking],
    capturing: looking === "no" ? [] : ["on"],
    heard,
    checkIn: isOffline ? ["offline", ...(checkIn === "possible" ? [] : [checkIn])] : [checkIn],
    linked: [linked ? "yes" : "no"],
    earnings: ["known"],
    days: [hasDays ? `${DAYS_LEFT} days` : "none"],
    connection: isOffline ? ["cut"] : [],
    needs: needs === null ? [] : [needs],
    light: isOffline ? ["offline"] : link === "restarted" && light === "answering" ? ["starting"] : [light],
    press: isOffline ? [] : pressable(cell),
  };
}

/** A visit to the platform is possible without a system that runs; a payment needs a spot. */
function pressable({ name }: Cell): Press[] {
  const { checkIn, needs } = CASES[name];
  return [
    "switch",
    "mode",
    ...(checkIn === "possible" ? (["checkIn"] as const) : []),
    ...(name === "no_spot" ? [] : (["pay"] as const)),
    ...(needs === "verify" ? (["selfie"] as const) : []),
  ];
}

function owedIn({ name, link, screen }: Cell): readonly (readonly [About, string])[] {
  const { checkIn, needs } = CASES[name];
  const isOffline = link === "offline";
  const owed: (readonly [About, string])[] = [];
  if (isOffline) owed.push(["connection", "cut"]);
  if (screen !== "/flex/dashboard" || isOffline) return owed;
  if (needs !== null) owed.push(["needs", needs]);
  owed.push(checkIn === "possible" ? ["press", "checkIn"] : ["checkIn", checkIn]);
  return owed;
}
