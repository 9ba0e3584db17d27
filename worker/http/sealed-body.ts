import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { fromBase64, toBase64 } from "../../durable/runtime/base64.ts";
import { redeemSeal } from "../../db/queries/identity/one-time-proofs.ts";
import { DAY_MS, MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Keys } from "../../durable/runtime/keys.ts";
import { sealedBody, type SealedBody, type SealedRoute } from "../contract/sealed-body.ts";
import type { AppEnv } from "./app-env.ts";
import { alsoReadsAhead } from "./gate/read-ahead.ts";
import { ApiError, invalidRequest } from "./errors/api-error.ts";

const MAX_ID_AGE_MS = DAY_MS;
const MAX_CLOCK_SKEW_MS = 5 * MINUTE_MS;

const plaintext = z.object({ at: z.number(), caller: z.string().optional(), body: z.unknown() });

/**
 * A distribution id (its first eight bytes are the instant of issue) and the key that belongs to
 * it. The key is derived from the id and a secret, so nothing is stored.
 */
export async function issueSeal(keys: Keys, now: EpochMs): Promise<{ id: string; key: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  new DataView(bytes.buffer).setBigUint64(0, BigInt(now));
  const id = toBase64(bytes);
  const [key] = await keys.derive("seal", id);
  return { id, key: toBase64(key) };
}

/**
 * Opens a sealed body and parses what was in it: `c.req.valid("json")` is the plaintext. A plain body is rejected,
 * and so is one that was sealed for another call or caller, or used before. A body that doesn't match the shape is
 * `invalid_request`.
 */
export function sealedJson<Shape extends z.core.$ZodType<object>>(route: SealedRoute, shape: Shape) {
  const open = createMiddleware<
    AppEnv,
    string,
    { in: { json: z.input<Shape> }; out: { json: z.output<Shape> } }
  >(async (c, next) => {
    const body = await (c.get("sealAhead") ?? openSealedBody(c, route, c.var.caller.driverId));
    const parsed = z.safeParse(shape, body);
    if (!parsed.success) throw invalidRequest(parsed.error.issues);
    c.req.addValidatedData("json", parsed.data);
    await next();
  });
  return alsoReadsAhead(open, (c, driverId) => {
    const body = openSealedBody(c, route, driverId);
    // The handler hears of a failure, if the call comes that far.
    body.catch(() => {});
    c.set("sealAhead", body);
  });
}

/** @throws {ApiError} `seal_required`, `seal_expired` or `seal_broken` */
async function openSealedBody(c: Context<AppEnv>, route: SealedRoute, driverId: DriverId): Promise<unknown> {
  const given = sealedBody.safeParse(await c.req.json().catch(() => null));
  if (!given.success) throw new ApiError("seal_required");
  const { deps, db } = c.var;
  const now = deps.now();
  const issuedAt = issuedAtOf(given.data.id);
  if (issuedAt === null || issuedAt > now + MAX_CLOCK_SKEW_MS || issuedAt < now - MAX_ID_AGE_MS) {
    throw new ApiError("seal_expired");
  }
  const digest = await digestOf(given.data);
  const opened = await decrypt(given.data, { keys: deps.keys, route, digest });
  if (!opened) throw new ApiError("seal_broken");
  if (opened.caller !== undefined && opened.caller !== driverId) throw new ApiError("seal_broken");
  if (Math.abs(opened.at - now) > MAX_CLOCK_SKEW_MS) throw new ApiError("seal_expired");
  const use = { digest: toBase64(digest), expiresAt: opened.at + MAX_CLOCK_SKEW_MS };
  if (!(await redeemSeal(db, use))) throw new ApiError("seal_expired");
  return opened.body;
}

function issuedAtOf(id: string): EpochMs | null {
  const bytes = fromBase64(id);
  if (bytes.length !== 24) return null;
  return Number(new DataView(bytes.buffer).getBigUint64(0));
}

/** SHA-256 over key id and nonce: tells a sealed body from every other, and begins with its IV. */
async function digestOf({ id, nonce }: SealedBody): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array([...new TextEncoder().encode(id), ...fromBase64(nonce)]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

async function decrypt(
  { id, data }: SealedBody,
  { keys, route, digest }: { keys: Keys; route: SealedRoute; digest: Uint8Array<ArrayBuffer> },
): Promise<z.infer<typeof plaintext> | null> {
  const encoder = new TextEncoder();
  const cipher = fromBase64(data);
  const iv = digest.slice(0, 12);
  for (const raw of await keys.derive("seal", id)) {
    const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
    try {
      const plain = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv, additionalData: encoder.encode(route) },
        key,
        cipher,
      );
      const parsed = plaintext.safeParse(JSON.parse(new TextDecoder().decode(plain)));
      return parsed.success ? parsed.data : null;
    } catch {
      continue;
    }
  }
  return null;
}
