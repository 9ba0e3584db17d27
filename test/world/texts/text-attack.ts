import { URL } from "node:url";
import { openDb } from "../../../db/client.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { parseConfig } from "../../../durable/runtime/config.ts";
import type { Env } from "../../../durable/runtime/env.ts";
import { createTextDoor } from "../../../durable/texts/text-door.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { noStore } from "../../support/runtime/no-store.ts";
import { SimulatedD1 } from "../host/d1.ts";

/** The price of a text within the US: the gateway's list price and the carriers' fee, in dollars. */
const DOLLARS_PER_TEXT = 0.0083 + 0.003;
const ADDRESSES = 10_000;
const TRIES_PER_ADDRESS = 4;
/** The calls in a minute that the runtime's limiter allowed an address before texts were counted. */
const TEXTS_PER_ADDRESS_AND_MINUTE = 20;
/** How many tries of the attack lie between two of everyone else. */
const OTHERS_EVERY = 100;

export type AbuseFigures = {
  /** The attack's tries, the texts that it got sent with all their parts, and their cost. */
  tries: number;
  texts: number;
  dollars: number;
  /** The possible cost of the same addresses in a day with a limit of calls a minute alone. */
  uncountedDollars: number;
  /** Texts that one IPv6 home network, and one stranger's number, got out of it. */
  homeTexts: number;
  strangerTexts: number;
  /** Codes to proved numbers, and drivers' texts, that the attack silenced. */
  silencedCodes: number;
  silencedCaptures: number;
};

/**
 * Plays one attacker with 10,000 addresses for a day against the real limits, in SQLite: each try has a number of its
 * own. Beside that, one home network and one stranger's number as targets, and drivers who hear of captures and who reset
 * passwords.
 */
export async function playAttack(): Promise<AbuseFigures> {
  const binding = new SimulatedD1(new URL("../../../db/migrations/", import.meta.url)).bind(async (work) =>
    work(),
  );
  // The settings are read from the same object as the bindings, none of which this needs.
  const { texts } = parseConfig({ ...DEMO_SETTINGS } as unknown as Env);
  const sent = { attack: 0, home: 0, stranger: 0 };
  const silenced = { codes: 0, captures: 0 };
  let now = Date.UTC(2026, 0, 5);
  const db = openDb(binding);
  const door = createTextDoor({
    ...texts,
    sms: { sendText: async () => ({ kind: "sent", id: null }) },
    db,
    now: () => now,
    log: () => undefined,
    publicUrl: DEMO_SETTINGS.PUBLIC_URL,
  });
  const tryCode = async (to: string, address: string, { isProved = false, account = to } = {}) => {
    const request = { to, address, account, isProved, isDecoy: false };
    const admission = await door.admitCode(request, noStore(db));
    return admission.kind === "admitted" && (await admission.send("code")).kind === "sent";
  };
  const tries = ADDRESSES * TRIES_PER_ADDRESS;
  for (let i = 0; i < tries; i += 1) {
    now += DAY_MS / tries;
    const number = (area: string) => `+1${area}${2_000_000 + i}`;
    const at = i % ADDRESSES;
    if (await tryCode(number("212"), `10.${at % 40}.${Math.floor(at / 40)}.1`)) sent.attack += 1;
    if (i % OTHERS_EVERY > 0) continue;
    if (await tryCode(number("213"), `2001:db8:0:1::${i.toString(16)}`)) sent.home += 1;
    if (await tryCode("+13125550123", `10.200.${(i / OTHERS_EVERY) % 200}.1`, { account: `${i}` }))
      sent.stranger += 1;
    if (!(await tryCode(number("415"), `10.201.${(i / OTHERS_EVERY) % 200}.1`, { isProved: true })))
      silenced.codes += 1;
    if ((await door.sendText({ to: number("917"), body: "captured", account: "" })).kind !== "sent")
      silenced.captures += 1;
  }
  const texted = sent.attack + sent.home + sent.stranger;
  const uncounted = ADDRESSES * TEXTS_PER_ADDRESS_AND_MINUTE * (DAY_MS / MINUTE_MS);
  return {
    tries,
    texts: texted,
    dollars: texted * DOLLARS_PER_TEXT,
    uncountedDollars: uncounted * DOLLARS_PER_TEXT,
    homeTexts: sent.home,
    strangerTexts: sent.stranger,
    silencedCodes: silenced.codes,
    silencedCaptures: silenced.captures,
  };
}

if (import.meta.main) console.log(JSON.stringify(await playAttack()));
