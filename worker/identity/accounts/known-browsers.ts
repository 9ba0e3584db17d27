import * as z from "zod";
import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import { unknownBrowser, type CallingBrowser, type KnownAccount } from "../device.ts";
import type { PoolContext } from "../pool-context.ts";
import { isBeforeMarks, markOfStored } from "./verifiers.ts";

/** Sent to the pool alone, and out of reach of the page's scripts. */
const COOKIE = "__Secure-known-browser";
const CONTEXT = "known browser";
const LIFETIME_MS = 180 * DAY_MS;
/** A browser that more people share forgets the one who signed in first. */
const MAX_ACCOUNTS = 5;

const text = z.string().max(64);
/** `marks` is missing from cookies of earlier releases, which ignore it: the mark of each account's password, by its sub. */
const knownBrowser = z.object({
  v: z.literal(1),
  id: text,
  accounts: z.array(text),
  marks: z.record(text, text).default({}),
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
  const accounts = data.accounts.map((sub) => ({ sub, mark: data.marks[sub] ?? null }));
  return { id: data.id, accounts, isRenewed: false };
}

type Caller = Pick<PoolContext, "browser">;

/** The browser's name at an account that it signed in to before, by whichever password; null for any other. */
export function nameAt({ browser }: Caller, sub: string): string | null {
  return browser.accounts.some((known) => known.sub === sub) ? browser.id : null;
}

/**
 * The same at the present password, by its mark: null where the browser signed in by an earlier one. A cookie from before marks
 * were kept counts until the password is set anew.
 */
export function nameAtPassword({ browser }: Caller, sub: string, mark: string | undefined): string | null {
  const known = browser.accounts.find((account) => account.sub === sub);
  if (!known || mark === undefined) return null;
  const isKnown = known.mark === null ? isBeforeMarks(mark) : known.mark === mark;
  return isKnown ? markedName(browser, known) : null;
}

/** All names of the browser at passwords that it signed in by, present or not, each after its account's sub. */
export function knownNames({ browser }: Caller): { sub: string; name: string }[] {
  return browser.accounts.map((known) => ({ sub: known.sub, name: markedName(browser, known) }));
}

/** Another password begins another count of wrong guesses. */
function markedName({ id }: CallingBrowser, { mark }: KnownAccount): string {
  return mark === null ? `${id}` : `${id} ${mark}`;
}

/**
 * The mark of an account's present password, where the calling browser signed in to it before. No other caller waits for it,
 * since the time would tell which numbers have accounts.
 */
export async function presentMark(pool: PoolContext, user: PoolUser | null): Promise<string | undefined> {
  return user && nameAt(pool, user.id) !== null ? markOfStored(pool, user) : undefined;
}

/** Notes that the calling browser's user is the owner of an account, as long as it has the password of this mark. */
export function rememberBrowser(pool: PoolContext, account: { sub: string; mark: string }): void {
  const { browser } = pool;
  browser.id ??= toUuid(pool.randomBytes(16));
  browser.accounts = [account, ...browser.accounts.filter(({ sub }) => sub !== account.sub)].slice(
    0,
    MAX_ACCOUNTS,
  );
  browser.isRenewed = true;
}

/** The cookie by which a browser is known from now on; null if there is nothing new. */
export async function browserCookie(pool: PoolContext): Promise<string | null> {
  const { id, accounts, isRenewed } = pool.browser;
  if (!isRenewed || id === null) return null;
  const plain = JSON.stringify({
    v: 1,
    id,
    accounts: accounts.map(({ sub }) => sub),
    marks: Object.fromEntries(accounts.flatMap(({ sub, mark }) => (mark === null ? [] : [[sub, mark]]))),
    at: pool.now(),
  } satisfies z.input<typeof knownBrowser>);
  const sealed = await pool.keys.seal("refresh", { plain, context: CONTEXT });
  const path = new URL(pool.issuer).pathname.split("/")[1] ?? "";
  return `${COOKIE}=${sealed}; Path=/${path}; Max-Age=${LIFETIME_MS / 1000}; Secure; HttpOnly; SameSite=Strict`;
}
