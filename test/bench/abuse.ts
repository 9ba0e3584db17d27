import { getPlatformProxy } from "wrangler";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { openDb } from "../../db/client.ts";
import { DAY_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { parseConfig } from "../../durable/runtime/config.ts";
import { createTextDoor } from "../../durable/texts/text-door.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

/** What a text within the US costs: the gateway's list price and the carriers' fee, in dollars. */
const DOLLARS_PER_TEXT = 0.0083 + 0.003;
const ADDRESSES = 10_000;
/** What the runtime's limiter let each address send in a minute before texts were counted. */
const TEXTS_PER_ADDRESS_AND_MINUTE = 20;
/** How many tries of the attack lie between two of everyone else. */
const OTHERS_EVERY = 40;

export type AbuseFigures = {
  /** What the attack tried, what it got sent with all its parts, and what that costs. */
  tries: number;
  texts: number;
  dollars: number;
  /** What the same addresses could cost in a day with a limit of calls a minute alone. */
  uncountedDollars: number;
  /** Texts that one IPv6 home network, and one stranger's number, got out of it. */
  homeTexts: number;
  strangerTexts: number;
  /** Codes to proved numbers, and drivers' texts, that the attack silenced. */
  honestRefused: number;
  capturesRefused: number;
};

/**
 * Plays one attacker with 10,000 addresses for a day against the real limits, over D1: each address tries a number of
 * its own. Beside that, one home network and one stranger's number as targets, and drivers who are told of
 * captures and who reset passwords.
 */
export async function benchAbuse(): Promise<AbuseFigures> {
  const root = new URL("../..", import.meta.url).pathname;
  const proxy = await getPlatformProxy<Parameters<typeof parseConfig>[0]>({
    configPath: `${root}/wrangler.toml`,
    persist: false,
  });
  try {
    const { DB } = proxy.env;
    const migrations = await readD1Migrations(`${root}/db/migrations`);
    await DB.batch(migrations.flatMap(({ queries }) => queries).map((query) => DB.prepare(query)));
    const { texts } = parseConfig({ ...proxy.env, ...DEMO_SETTINGS });
    let now = Date.UTC(2026, 0, 5);
    const sent = { attack: 0, home: 0, stranger: 0 };
    const door = createTextDoor({
      ...texts,
      sms: { sendText: async () => ({ kind: "sent", id: null }) },
      db: openDb(DB),
      now: () => now,
      log: () => undefined,
    });
    const tryCode = async (to: string, address: string, { isProved = false, account = to } = {}) => {
      const admission = await door.admitCode({ to, address, account, isProved, isDecoy: false });
      return admission.kind === "admitted" && (await admission.send("code")).kind === "sent";
    };
    const tries = ADDRESSES;
    let honestRefused = 0;
    let capturesRefused = 0;
    for (let i = 0; i < tries; i += 1) {
      now += DAY_MS / tries;
      const number = (prefix: string) => `+1${prefix}${String(2_000_000 + (i % 7_999_999)).padStart(7, "0")}`;
      if (await tryCode(number("212"), `10.${i % 40}.${Math.floor(i / 40) % 250}.1`)) sent.attack += 1;
      if (i % OTHERS_EVERY === 0) {
        if (await tryCode(number("213"), `2001:db8:0:1::${i.toString(16)}`)) sent.home += 1;
        if (await tryCode("+13125550123", `10.200.${i % 200}.1`, { account: `${i}` })) sent.stranger += 1;
        if (!(await tryCode(number("415"), `10.201.${i % 200}.${i % 99}`, { isProved: true })))
          honestRefused += 1;
        if ((await door.sendText({ to: number("917"), body: "captured" })).kind !== "sent")
          capturesRefused += 1;
      }
    }
    return {
      tries,
      texts: sent.attack + sent.home + sent.stranger,
      dollars: (sent.attack + sent.home + sent.stranger) * DOLLARS_PER_TEXT,
      uncountedDollars: ADDRESSES * TEXTS_PER_ADDRESS_AND_MINUTE * (DAY_MS / MINUTE_MS) * DOLLARS_PER_TEXT,
      homeTexts: sent.home,
      strangerTexts: sent.stranger,
      honestRefused,
      capturesRefused,
    };
  } finally {
    await proxy.dispose();
  }
}

if (import.meta.main) console.log(await benchAbuse());
