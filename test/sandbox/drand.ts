import { Hono } from "hono";
import { z } from "zod";
import { readBody } from "./problem.ts";
import type { Stage } from "./state.ts";

/** Quicknet's times. */
const GENESIS_MS = 1_692_803_367_000;
const PERIOD_MS = 3000;
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/** Secrets of the sandbox's chain and of another one. */
const SECRETS = { own: 7, other: 11 };

const BEHAVIORS = ["fair", "late", "wrong", "other_round", "other_chain", "down", "unreadable"] as const;
const order = z.strictObject({ behavior: z.enum(BEHAVIORS) });

/** A round's signature, in hex. The curve is loaded by its first use. */
async function sign(round: number, secret: number): Promise<string> {
  const { bls12_381 } = await import("@noble/curves/bls12-381.js");
  const { shortSignatures } = bls12_381;
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(round));
  const message = new Uint8Array(await crypto.subtle.digest("SHA-256", number.buffer));
  const key = new Uint8Array(32);
  key[31] = secret;
  return shortSignatures.sign(shortSignatures.hash(message, DOMAIN), key).toHex(true);
}

/** drand: the rounds of a chain with a key of its own. A round that is still ahead is 425, as there. */
export function drandRoutes({ state, now }: Stage) {
  const behavior = () => BEHAVIORS[state.cursors.get("drand") ?? 0];
  return new Hono()
    .post("/sandbox/drand/behavior", async (c) => {
      state.cursors.set("drand", BEHAVIORS.indexOf((await readBody(c, order)).behavior));
      return c.body(null, 204);
    })
    .get("/sandbox/drand/public/:round", async (c) => {
      const round = Number(c.req.param("round"));
      const how = behavior();
      if (how === "down") return c.text("Bad Gateway", 502);
      if (how === "unreadable") return c.text("<html>", 200);
      if (how === "late" || GENESIS_MS + (round - 1) * PERIOD_MS > now())
        return c.json({ error: "Requested future beacon" }, 425);
      const signed = how === "other_round" || how === "wrong" ? round - 1 : round;
      const signature = await sign(signed, how === "other_chain" ? SECRETS.other : SECRETS.own);
      return c.json({ round: how === "other_round" ? signed : round, signature }, 200);
    });
}
