import { Hono } from "hono";
import { SignJWT } from "jose";
import { z } from "zod";
import { openKeys } from "./identity.ts";
import { readBody } from "./problem.ts";
import type { Stage } from "./state.ts";

const TEAM = "https://access.localhost";
const AUDIENCE = "sandbox-console";
const HOURS = 12;

const order = z.strictObject({
  email: z.string().optional(),
  /** A service token's client id, instead of an e-mail address. */
  commonName: z.string().optional(),
  audience: z.string().default(AUDIENCE),
  issuer: z.string().default(TEAM),
  type: z.string().default("app"),
  /** In seconds; negative for tokens that have expired. */
  expiresIn: z.int().default(HOURS * 3600),
});

/** Cloudflare Access before the console: its keys, tokens for anyone, and a sign-in as owner or support. */
export function accessRoutes({ state }: Stage) {
  const keys = openKeys(state);

  async function sign({ email, commonName, audience, issuer, type, expiresIn }: z.infer<typeof order>) {
    const { kid, privateKey } = await keys("operators");
    // Tokens use the real clock, as their verifiers do.
    const iat = Math.floor(Date.now() / 1000);
    const who =
      commonName === undefined ? { email, sub: crypto.randomUUID() } : { common_name: commonName, sub: "" };
    return new SignJWT({ ...who, type, identity_nonce: "sandbox", country: "US" })
      .setProtectedHeader({ kid, alg: "RS256", typ: "JWT" })
      .setIssuer(issuer)
      .setAudience([audience])
      .setIssuedAt(iat)
      .setNotBefore(iat)
      .setExpirationTime(iat + expiresIn)
      .sign(privateKey);
  }

  return new Hono()
    .get("/cdn-cgi/access/certs", async (c) => c.json({ keys: [(await keys("operators")).publicJwk] }, 200))
    .post("/sandbox/access/token", async (c) => c.json({ token: await sign(await readBody(c, order)) }, 200))
    .get("/sandbox/access", async (c) => {
      const as = c.req.query("as") === "support" ? "support" : "owner";
      const token = await sign(order.parse({ email: `${as}@example.com` }));
      c.header(
        "set-cookie",
        `CF_Authorization=${token}; Path=/; Max-Age=${HOURS * 3600}; HttpOnly; SameSite=Lax`,
      );
      return c.redirect("/ops", 302);
    });
}
