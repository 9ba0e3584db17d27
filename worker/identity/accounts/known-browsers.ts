import * as z from "zod";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import { unknownBrowser, type CallingBrowser } from "../calling-browser.ts";
import type { PoolContext } from "../pool-context.ts";

/** Sent to the pool alone, and out of reach of the page's scripts. */
const COOKIE = "__Secure-known-browser";
const CONTEXT = "known browser";
const LIFETIME_MS = 180 * DAY_MS;
/** A browser that more people share forgets the one who signed in first. */
const MAX_ACCOUNTS = 5;

const knownBrowser = z.object({
  v: z.literal(1),
  id: z.string().max(64),
  accounts: z.array(z.string().max(64)),
  at: z.number(),
});

/** Reads who calls from the cookie. A forged, malformed or old one is none. */
export async function readBrowser(
  pool: Pick<PoolContext, "keys" | "now">,
  request: Request,
): Promise<CallingBrowser> {
  const cookies = (request.headers.get("cookie") ?? "").split(/; */);
  const sealed = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  if (!sealed) return unknownBrowser();
  const plain = await pool.keys.open("refresh", { sealed, context: CONTEXT });
  const { data } = knownBrowser.safeParse(plain === null ? null : JSON.parse(plain));
  if (!data || Math.abs(pool.now() - data.at) > LIFETIME_MS) return unknownBrowser();
  return { id: data.id, accounts: data.accounts, isRenewed: false };
}

/** The browser's name at an account that it signed in to before; null for any other. */
export function nameAt({ browser }: Pick<PoolContext, "browser">, sub: string): string | null {
  return browser.accounts.includes(sub) ? browser.id : null;
}

/** Notes that the calling browser's user is the owner of an account. */
export function rememberBrowser(pool: PoolContext, sub: string): void {
  const { browser } = pool;
  browser.id ??= toUuid(pool.randomBytes(16));
  browser.accounts = [sub, ...browser.accounts.filter((other) => other !== sub)].slice(0, MAX_ACCOUNTS);
  browser.isRenewed = true;
}

/** The cookie by which a browser is known from now on; null if there is nothing new. */
export async function browserCookie(pool: PoolContext): Promise<string | null> {
  const { id, accounts, isRenewed } = pool.browser;
  if (!isRenewed || id === null) return null;
  const plain = JSON.stringify({ v: 1, id, accounts, at: pool.now() } satisfies z.input<typeof knownBrowser>);
  const sealed = await pool.keys.seal("refresh", { plain, context: CONTEXT });
  const path = new URL(pool.issuer).pathname.split("/")[1] ?? "";
  return `${COOKIE}=${sealed}; Path=/${path}; Max-Age=${LIFETIME_MS / 1000}; Secure; HttpOnly; SameSite=Strict`;
}
