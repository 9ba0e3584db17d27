import * as z from "zod/mini";
import { createDecipheriv, scryptSync } from "node:crypto";
import { makeSeed, openSeed, sealSeed, type SeedKey } from "../../db/shapes/money/sealed-seed.ts";
import { ENTRIES_CLOSE_AFTER_MS } from "../../db/shapes/money/raffle.ts";
import { epochMs, type EpochMs } from "../../db/shapes/units.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { parsePromotion } from "./arguments.ts";
import { ConsoleError, type ConsoleClient } from "./console-client.ts";

const SHA_256 = /^[0-9a-f]{64}$/;

const raffleList = z.object({
  raffles: z.array(
    z.object({
      id: z.string(),
      seedHash: z.string(),
      sealedSeed: z.nullable(z.string()),
      status: z.string(),
      endsAt: epochMs,
      hasBeacon: z.optional(z.boolean()),
      closing: z.optional(z.nullable(z.object({ roundAt: epochMs }))),
    }),
  ),
});

/** Where a seed comes from: the passphrase that seals and opens it, or the operator, who keeps it. */
type Source = { values: Readonly<Record<string, unknown>>; passphrase: string | undefined };

/**
 * The act that announces the raffle of the arguments, with a seed that only the passphrase opens; null if something is
 * missing.
 */
export async function raffleAct({
  values,
  passphrase,
}: Source): Promise<{ seedHash: string; act: object } | null> {
  const promotion = parsePromotion(values);
  if (!promotion) return null;
  const { id, ...rest } = promotion;
  const own = values["seed-hash"];
  if (own !== undefined) {
    if (typeof own !== "string" || !SHA_256.test(own)) return null;
    return { seedHash: own, act: { act: "raffle", raffle: id, ...rest, seedHash: own, sealedSeed: null } };
  }
  if (!passphrase) return null;
  const seed = makeSeed();
  const seedHash = await sha256Hex(seed);
  const sealedSeed = await sealSeed(seed, { passphrase, id });
  return { seedHash, act: { act: "raffle", raffle: id, ...rest, seedHash, sealedSeed } };
}

/**
 * The seed to draw a raffle with, which leaves this program only if it fits the fingerprint.
 * @throws {ConsoleError} where there is no such raffle, the seed can't be opened, or it is too early
 */
export async function seedFor(
  client: ConsoleClient,
  id: string,
  { values, passphrase }: Source,
): Promise<string> {
  const { raffles } = await client.get("/raffles", raffleList);
  const raffle = raffles.find((one) => one.id === id);
  if (!raffle) throw new ConsoleError("There is no such raffle.");
  if (raffle.status === "drawn") throw new ConsoleError("It was drawn already.");
  const { seed: own } = values;
  const seed =
    typeof own === "string" ? own : await open(raffle.sealedSeed, { passphrase: passphrase ?? "", id });
  if (seed === null) throw new ConsoleError("RAFFLE_PASSPHRASE does not open its seed.");
  if ((await sha256Hex(seed)) !== raffle.seedHash)
    throw new ConsoleError("The seed does not fit the fingerprint.");
  const wait = describeWait(raffle, Date.now());
  if (wait !== null) throw new ConsoleError(wait);
  return seed;
}

/** Why a raffle can't be drawn yet, and from when on it can be; null if it can. */
function describeWait(
  { status, endsAt, hasBeacon = false, closing = null }: z.infer<typeof raffleList>["raffles"][number],
  now: EpochMs,
): string | null {
  const time = (at: EpochMs) => new Date(at).toISOString();
  if (status === "ahead" || status === "running")
    return `It can't be drawn before it is over: it ends at ${time(endsAt)}.`;
  if (!hasBeacon) return null;
  if (closing === null)
    return `It can't be drawn yet: its entries close at ${time(endsAt + ENTRIES_CLOSE_AFTER_MS)} or a little later.`;
  return closing.roundAt > now
    ? `It can't be drawn before ${time(closing.roundAt)}, when its beacon is published.`
    : null;
}

async function open(sealed: string | null, key: SeedKey): Promise<string | null> {
  if (sealed === null) return null;
  return (await openSeed(sealed, key)) ?? openEarlySeal(sealed, key);
}

const KEY_BYTES = 32;

/**
 * Opens what the first release sealed, `v1.<salt>.<nonce>.<tag>.<cipher>`; null with another passphrase, or for another
 * raffle.
 */
export function openEarlySeal(sealed: string, { passphrase, id }: SeedKey): string | null {
  const [version, ...parts] = sealed.split(".");
  const [salt, nonce, tag, cipher] = parts.map((part) => Buffer.from(part, "base64url"));
  if (version !== "v1" || !salt || !nonce || !tag || !cipher) return null;
  try {
    const key = scryptSync(passphrase, salt, KEY_BYTES);
    const opening = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(id)).setAuthTag(tag);
    return Buffer.concat([opening.update(cipher), opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}
