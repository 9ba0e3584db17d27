import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Language } from "../../../db/shapes/language.ts";
import { hasRaffle } from "../../../db/queries/payments/raffles.ts";
import type { Deps } from "../../../durable/deps.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import {
  isPublicPath,
  splitLanguage,
  withLanguage,
  ADDRESS_PLACEHOLDER,
  OFFERS_PLACEHOLDER,
  ORIGIN_PLACEHOLDER,
  PRODUCT_IN_JSON,
  PRODUCT_PLACEHOLDER,
  YEAR_PLACEHOLDER,
} from "../../contract/page-address.ts";
import {
  CHALLENGE_ATTRIBUTE,
  CHALLENGE_HERE,
  CHALLENGE_PATHS,
  CHAT_ATTRIBUTE,
  CHAT_COOKIE,
  CHAT_PARAMETER,
  OWN_POOL_ATTRIBUTE,
} from "../../contract/page-parts.ts";
import { parseReferral } from "../../contract/account/user.ts";
import { raffleParams } from "../../contract/money/raffles.ts";
import { listPublicPlans } from "../../payments/prices/plans.ts";
import type { PublicPlansResponse } from "../../contract/money/public-plans.ts";
import { caseName, SERVED_PARTS } from "../../contract/served-cases.ts";
import { loadPlatformHealth } from "../../cities/public-health.ts";
import { listPublicSpots } from "../../cities/spots.ts";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import { pageAddress, requestLanguage } from "./request-language.ts";
import {
  visitorTimeZone,
  servedContacts,
  servedDaysBack,
  servedPlans,
  servedSpots,
  servedTerms,
  serveCases,
  escapeHtml,
  servedHealth,
} from "./served-cases.ts";

/** The check-in page, the only one that our own pages may frame. */
const ARRIVED_PATH = "/arrived";

/**
 * Serves the page of an address, in the language that the address names, else the device's. Its headers are in
 * `web/public/_headers`; those that depend on the deployment's settings are added here. An address that no route has
 * is 404 and says so in words, as the page of a raffle that nobody made does; so is a chunk of an earlier build, without any.
 */
export async function servePage(c: Context<AppEnv>): Promise<Response> {
  if (c.req.path.startsWith("/assets/") || c.req.path.startsWith("/pages/")) throw new ApiError("not_found");
  const path = pageAddress(c);
  const address = splitLanguage(path);
  const language = requestLanguage(c);
  const [{ page, status: found }, isMissing] = await Promise.all([
    findPage(c, language, address.pathname),
    isMissingRaffle(c.var.deps, address.pathname),
  ]);
  const status = isMissing ? 404 : found;
  const { config } = c.var.deps;
  const { identity, turnstile, chat, recording } = config;
  const text = await page.text();
  const inLanguage = address.language ? keepLanguage(text, address.language) : text;
  const referral = parseReferral(c.req.query("referral"));
  const filled = await fillInPage(referral === null ? inLanguage : keepReferral(inLanguage, referral), {
    deps: c.var.deps,
    address: path,
    language,
    timeZone: visitorTimeZone(c),
  });
  const showsChat = chat !== null && chat.isShown && isChatPage(c);
  const showsChallenge = turnstile !== null && CHALLENGE_PATHS.includes(address.pathname);
  const marks = [
    ...(showsChat ? [CHAT_ATTRIBUTE] : []),
    ...(identity.kind === "embedded" ? [OWN_POOL_ATTRIBUTE] : []),
    ...(turnstile ? [`${CHALLENGE_ATTRIBUTE}="${showsChallenge ? CHALLENGE_HERE : "elsewhere"}"`] : []),
  ];
  const html = filled.replace(/<html lang="\w+"/, [`<html lang="${language}"`, ...marks].join(" "));
  const response = new Response(html, { status, headers: page.headers });
  // They are those of the file.
  response.headers.delete("etag");
  response.headers.delete("content-length");
  response.headers.set("content-language", language);
  response.headers.append("vary", "accept-language, cookie");
  applyPagePolicy(response.headers, {
    frameOrigins: config.isBroken("capture") ? [] : [new URL(config.platform.url).origin],
    connectOrigins: identity.kind === "cognito" ? [new URL(identity.endpoint).origin] : [],
    scriptOrigins: [
      ...(showsChallenge ? [new URL(turnstile.url).origin] : []),
      ...(showsChat ? [new URL(chat.url).origin] : []),
    ],
    recorderOrigins: recording?.origins ?? [],
    hasInlineStyles: showsChat,
    isFramed: c.req.path === ARRIVED_PATH,
  });
  return response;
}

/** Whether a page opens the chat, or brings it back for a driver who did on this device. */
function isChatPage(c: Context<AppEnv>): boolean {
  return c.req.query(CHAT_PARAMETER) !== undefined || getCookie(c, CHAT_COOKIE) !== undefined;
}

/** Lets the links of an address that names a language lead to others in it, as the page does once its code runs. */
function keepLanguage(html: string, language: Language): string {
  return html.replaceAll(/(?<= href=")\/[^"#?]*/g, (path) =>
    isPublicPath(path) ? withLanguage(path, language) : path,
  );
}

/** Lets them name the inviter as well, for a visitor who follows one before the page's code has noted whose link it was. */
function keepReferral(html: string, referral: string): string {
  const query = new URLSearchParams({ referral });
  return html.replaceAll(/(?<= href=")\/[^"#?]*(?=["#])/g, (path) =>
    isPublicPath(splitLanguage(path).pathname) || CHALLENGE_PATHS.includes(path) ? `${path}?${query}` : path,
  );
}

/** Built pages whose own names are no addresses. */
const NO_ADDRESSES = ["/index", "/404"];

/** Pages are built as `pages/<language>/<path>.html`, where `$` stands for a parameter. */
async function findPage(
  c: Context<AppEnv>,
  language: Language,
  pathname: string,
): Promise<{ page: Response; status: 200 | 404 }> {
  const load = (file: string) => c.env.ASSETS.fetch(new URL(file, c.req.url).href);
  const name = pathname === "/" ? "/index" : pathname;
  const names = NO_ADDRESSES.includes(pathname) ? [] : [name, name.replace(/[^/]+$/, "$")];
  for (const candidate of names) {
    const page = await load(`/pages/${language}${candidate}.html`);
    if (page.ok) return { page, status: 200 };
  }
  const page = await load(`/pages/${language}/404.html`);
  // In development there is one page for all addresses.
  return page.ok ? { page, status: 404 } : { page: await load("/index.html"), status: 200 };
}

/** Whether an address is of a raffle that doesn't exist. Where the database doesn't say, the page looks for it itself. */
async function isMissingRaffle({ db, log }: Pick<Deps, "db" | "log">, pathname: string): Promise<boolean> {
  const id = /^\/raffle\/([^/]+)$/.exec(pathname)?.[1];
  if (id === undefined) return false;
  if (!raffleParams.safeParse({ id }).success) return true;
  try {
    return !(await hasRaffle(db, id));
  } catch (error) {
    log("warn", "page.raffle.unknown", describeError(error));
    return false;
  }
}

/** Puts what only the deployment knows into a page that was built without it. */
async function fillInPage(
  html: string,
  {
    deps,
    address,
    language,
    timeZone,
  }: { deps: Deps; address: string; language: Language; timeZone: string },
): Promise<string> {
  const { productName, publicUrl } = deps.config;
  const filled = html
    .replaceAll(PRODUCT_PLACEHOLDER, () => escapeHtml(productName))
    .replaceAll(PRODUCT_IN_JSON, () => toJson(productName).slice(1, -1))
    .replaceAll(YEAR_PLACEHOLDER, () => String(new Date(deps.now()).getUTCFullYear()))
    .replaceAll(ORIGIN_PLACEHOLDER, () => escapeHtml(new URL(publicUrl).origin))
    .replaceAll(ADDRESS_PLACEHOLDER, () => escapeHtml(address));
  const settings = [
    servedContacts(deps.config.support, deps.roll()),
    servedTerms(deps.config.termsDate, language),
    servedDaysBack(deps.config.daysBackMinutes, language),
  ];
  if (filled.includes(caseName(SERVED_PARTS.health, "none")))
    settings.push(servedHealth(await loadPlatformHealth(deps), { language, now: deps.now() }));
  if (!filled.includes(OFFERS_PLACEHOLDER)) return serveCases(filled, settings);
  const [plans, spots] = await Promise.all([listPublicPlans(deps), listPublicSpots(deps)]);
  const prices = servedPlans(plans, { language, now: deps.now(), timeZone });
  const offers = toJson(plans ? toOffers(plans, publicUrl) : []);
  const parts = [...settings, prices, servedSpots(spots, language)];
  return serveCases(filled, parts).replaceAll(`"${OFFERS_PLACEHOLDER}"`, () => offers);
}

/** The plans as schema.org's offers, at their prices now. */
function toOffers({ currency, plans }: PublicPlansResponse, publicUrl: string): object[] {
  return plans.map(({ days, discount, payCents }) => ({
    "@type": "Offer",
    name: `${days} days`,
    price: (payCents / 100).toFixed(2),
    priceCurrency: currency,
    ...(discount && { priceValidUntil: new Date(discount.endsAt).toISOString() }),
    url: new URL("/register", publicUrl).href,
  }));
}

/** JSON that can stand in a script element. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** The additions of a page's headers to those in `web/public/_headers`. */
type PagePolicy = {
  /** Origins that we may embed in a frame, with access to the camera. */
  frameOrigins: readonly string[];
  /** Origins that the page's scripts may call, beside its own and the card processor's. */
  connectOrigins: readonly string[];
  /** Origins whose scripts the page may load, with the frames that those open. */
  scriptOrigins: readonly string[];
  /** Where the session recorder has its scripts, and sends to. */
  recorderOrigins: readonly string[];
  /** Whether scripts may set styles, as that of the chat does. */
  hasInlineStyles: boolean;
  /** Whether the page itself may be framed, by our own pages only. */
  isFramed: boolean;
};

/** Adds what is allowed to a page's headers and changes nothing else. */
export function applyPagePolicy(headers: Headers, policy: PagePolicy): void {
  const given = headers.get("content-security-policy");
  if (given) headers.set("content-security-policy", widenContentSecurityPolicy(given, policy));
  const { frameOrigins, isFramed } = policy;
  const permissions = headers.get("permissions-policy");
  if (permissions && frameOrigins.length > 0) {
    const camera = `camera=(self ${frameOrigins.map((origin) => `"${origin}"`).join(" ")})`;
    headers.set("permissions-policy", permissions.replace(/camera=\([^)]*\)/, camera));
  }
  // Its URL contains a token.
  if (isFramed) headers.set("referrer-policy", "no-referrer");
}

function widenContentSecurityPolicy(
  given: string,
  { frameOrigins, connectOrigins, scriptOrigins, recorderOrigins, hasInlineStyles, isFramed }: PagePolicy,
): string {
  const directives = new Map(
    given
      .split(";")
      .map((part) => part.trim().split(/\s+/))
      .filter(([name]) => name)
      .map(([name = "", ...sources]) => [name, sources]),
  );
  const allow = (directive: string, origins: readonly string[]) => {
    if (origins.length === 0) return;
    const known = directives.get(directive) ?? ["'self'"];
    directives.set(directive, [...new Set([...known, ...origins])]);
  };
  allow("frame-src", [...frameOrigins, ...scriptOrigins]);
  allow("script-src", [...scriptOrigins, ...recorderOrigins]);
  allow("connect-src", [...connectOrigins, ...recorderOrigins]);
  // Beside a hash, browsers would ignore it.
  if (hasInlineStyles) directives.set("style-src", withoutHashes(directives.get("style-src")));
  allow("style-src", hasInlineStyles ? ["'unsafe-inline'"] : []);
  if (isFramed) directives.set("frame-ancestors", ["'self'"]);
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}

function withoutHashes(sources: readonly string[] = ["'self'"]): string[] {
  return sources.filter((source) => !source.startsWith("'sha"));
}
