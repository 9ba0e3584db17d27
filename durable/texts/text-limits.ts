import type { TextLimit } from "../../db/queries/texts/limits.ts";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import { networkOf, siteOf } from "./networks.ts";

/** The most texts in an hour and in a day, each beginning with the first of them. */
export type HourAndDay = { perHour: number; perDay: number };

/**
 * The limits of texts. The last four are ceilings of the whole deployment, each counted by itself: codes to strangers'
 * numbers use up neither the codes of those who have an account nor the texts about drivers' blocks, and invitations use
 * up neither.
 */
export type TextLimits = {
  perNumber: HourAndDay;
  perAccount: HourAndDay;
  perNetwork: HourAndDay;
  toNewNumbers: HourAndDay;
  toProvedNumbers: HourAndDay;
  toDrivers: HourAndDay;
  toInvitedNumbers: HourAndDay;
};

/** A code that is to be sent, and what it is counted for. */
export type CodeRequest = {
  to: string;
  /** Whether a code proved the number before. */
  isProved: boolean;
  account: string;
  /** Its cause; null for a call from inside. */
  address: string | null;
  /** The number of the provider's network that the address belongs to; null if unknown. */
  asn?: number | null;
  /** Whether its cause solved a challenge: then what others used up doesn't count, but a ceiling for such callers does. */
  isPerson?: boolean;
  /** For a name without an account: refused and counted alike, except that it uses up no ceiling. */
  isDecoy: boolean;
};

export const CEILING_PREFIX = "ceiling ";
const NETWORK_PREFIX = "network ";
/** Of limits that many share, as they do a ceiling. */
const SHARED_PREFIXES = [CEILING_PREFIX, "site ", "asn "];
/** How many networks' codes one /48 causes, and the share of a ceiling that one provider's network does. */
const NETWORKS_PER_SITE = 2;
const SHARE_OF_PROVIDER = 0.5;

/** Every limit that a code falls under. */
export function codeLimits(limits: TextLimits, request: CodeRequest): TextLimit[] {
  const { to, isProved, account, address, isDecoy, isPerson = false } = request;
  const name = `${isProved ? "to_proved_numbers" : "to_new_numbers"}${isPerson ? "_by_people" : ""}`;
  const most = isProved ? limits.toProvedNumbers : limits.toNewNumbers;
  return [
    ...toLimits(`number ${to}`, limits.perNumber),
    ...toLimits(`account ${account}`, limits.perAccount),
    ...networkLimits(limits, address),
    ...(isPerson ? [] : neighborLimits(limits, request, { name, most })),
    ...toLimits(CEILING_PREFIX + name, most).map((limit) => ({ ...limit, counts: !isDecoy })),
  ];
}

/** Every limit that an invitation falls under. */
export function invitationLimits(
  limits: TextLimits,
  { to, address }: Pick<CodeRequest, "to" | "address">,
): TextLimit[] {
  return [
    ...toLimits(`number ${to}`, limits.perNumber),
    ...networkLimits(limits, address),
    ...toLimits(`${CEILING_PREFIX}to_invited_numbers`, limits.toInvitedNumbers),
  ];
}

function networkLimits(limits: TextLimits, address: string | null): TextLimit[] {
  return address === null ? [] : toLimits(NETWORK_PREFIX + networkOf(address), limits.perNetwork);
}

/** The limits that a caller shares with neighbors: nobody with many networks uses up a ceiling alone. */
function neighborLimits(
  limits: TextLimits,
  { address, asn = null }: CodeRequest,
  { name, most }: { name: string; most: HourAndDay },
): TextLimit[] {
  const site = address === null ? null : siteOf(address);
  return [
    ...(site === null ? [] : toLimits(`site ${site}`, multiply(limits.perNetwork, NETWORKS_PER_SITE))),
    ...(asn === null ? [] : toLimits(`asn ${asn} ${name}`, multiply(most, SHARE_OF_PROVIDER))),
  ];
}

/** Whether others than the caller use a limit up, too. */
export function isShared({ key }: TextLimit): boolean {
  return SHARED_PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** Whether a limit is that of the caller's network. */
export function isNetworkKey(key: string): boolean {
  return key.startsWith(NETWORK_PREFIX);
}

/** The keys that a text adds to. */
export function countedKeys(asked: readonly TextLimit[]): string[] {
  return asked.filter(({ counts }) => counts).map(({ key }) => key);
}

function multiply({ perHour, perDay }: HourAndDay, factor: number): HourAndDay {
  return { perHour: Math.ceil(perHour * factor), perDay: Math.ceil(perDay * factor) };
}

/** The limits of a subject in an hour and in a day. */
export function toLimits(subject: string, { perHour, perDay }: HourAndDay): TextLimit[] {
  return [
    { key: `${subject} hour`, most: perHour, windowMs: HOUR_MS, counts: true },
    { key: `${subject} day`, most: perDay, windowMs: DAY_MS, counts: true },
  ];
}
