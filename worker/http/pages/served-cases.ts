import { knownTimeZone } from "../../../db/shapes/time-zone.ts";
import type { Context } from "hono";
import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import { OTHER_CITY } from "../../../db/shapes/money/spots.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import {
  formatLongDate,
  formatMoney,
  formatServiceTime,
  formatUntil,
  numberFormat,
  formatDate,
} from "../../../locales/format.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { MINUTE_MS, DAY_MS } from "../../../db/shapes/units.ts";
import type { Language } from "../../../db/shapes/language.ts";
import type { Config } from "../../../durable/runtime/config.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { phoneLink, pickRandom, whatsappLink } from "../../contract/contact-links.ts";
import { leastPerDay, type PublicPlansResponse } from "../../contract/money/public-plans.ts";
import {
  contactsCase,
  SERVED_PARTS,
  caseName,
  factToken,
  MOMENTARY,
  UNKNOWN_CASE,
} from "../../contract/served-cases.ts";
import type { CitySpotsResponse } from "../../contract/money/service.ts";
import { healthBars, lastTrouble } from "../../contract/health-bars.ts";
import type { CityHealthNow, PlatformHealthResponse } from "../../contract/platform-health.ts";
import type { AppEnv } from "../app-env.ts";

const CASE = /<template data-case="(\S+) (\S+)">(.*?)<\/template>/gs;

/** Of each part of a page that has several forms, which one is served, and the facts and lists in them. */
export type Served = {
  cases: ReadonlyMap<string, string>;
  facts: ReadonlyMap<string, string>;
  lists?: ReadonlyMap<string, readonly ServedRow[]>;
};

/** Keeps one form of each part and fills in its facts. A part that nothing is known of stays empty. */
export function serveCases(html: string, served: readonly Served[]): string {
  const cases = new Map(served.flatMap((part) => [...part.cases]));
  const kept = html.replaceAll(CASE, (_part, name: string, value: string, content: string) =>
    cases.get(name) === value
      ? isMomentary(name)
        ? MOMENTARY.start + content + MOMENTARY.end
        : content
      : "",
  );
  const filled = fillIn(
    kept,
    served.flatMap(({ facts }) => [...facts]),
  );
  return serveRows(filled, new Map(served.flatMap(({ lists = [] }) => [...lists])));
}

/** Whether a part says what another day may change: prices, spots, the platform's health. */
function isMomentary(name: string): boolean {
  return name !== SERVED_PARTS.contacts && name !== SERVED_PARTS.terms && name !== SERVED_PARTS.daysBack;
}

/** The plans' prices as they are read now, if they are known. */
export function servedPlans(
  known: PublicPlansResponse | null,
  reading: { language: Language; now: number; timeZone: string },
): Served {
  if (!known) return unknownParts(PLANS_FOR_SALE.map(SERVED_PARTS.plan));
  const { currency, plans, raffle } = known;
  const { language } = reading;
  const money = (cents: number) => formatMoney(language, cents, currency);
  const until = (at: number) => formatUntil(language, at, reading);
  const cases = new Map<string, string>();
  const facts = new Map<string, string>();
  const least = leastPerDay(plans);
  if (least) {
    cases.set(SERVED_PARTS.leastPrice, "known");
    facts.set("day-least", money(least.perDayCents));
    facts.set("days-least", numberFormat(language, {}).format(least.days));
  }
  for (const { plan, discount, payCents, perDayCents, priceCents } of plans) {
    cases.set(SERVED_PARTS.plan(plan), discount ? "sale" : "plain");
    facts.set(`price-${plan}`, money(payCents)).set(`day-${plan}`, money(perDayCents));
    if (discount) facts.set(`before-${plan}`, money(priceCents)).set(`until-${plan}`, until(discount.endsAt));
  }
  if (raffle) {
    cases.set(SERVED_PARTS.raffle(raffle.plan), "open");
    facts.set("raffle", encodeURIComponent(raffle.id));
    facts.set(`raffle-until-${raffle.plan}`, until(raffle.endsAt));
  }
  return { cases, facts };
}

/** Parts of which nothing can be said now: the page asks again once it has come to life. */
function unknownParts(names: readonly string[]): Served {
  return { cases: new Map(names.map((name) => [name, UNKNOWN_CASE])), facts: new Map() };
}

/** The spots that are left in each city; the part stays empty where no city has a limit. */
export function servedSpots({ cities }: CitySpotsResponse, language: Language): Served {
  const inputs = (count: number) => ({ count, figure: numberFormat(language, {}).format(count) });
  const rows = cities.map(({ city, left, waiting }): ServedRow => {
    const name = city === OTHER_CITY ? formatMessage(language, "city_other") : city;
    const [form, text] =
      left > 0
        ? ["left", formatMessage(language, "spots_left", inputs(left))]
        : ["full", formatMessage(language, "spots_full", inputs(waiting))];
    return {
      form,
      facts: new Map([
        ["city", name],
        ["spots", text],
      ]),
    };
  });
  const part = SERVED_PARTS.spots;
  return {
    cases: new Map(rows.length > 0 ? [[part, "listed"]] : []),
    facts: new Map(),
    lists: new Map([[part, rows]]),
  };
}

/** The support contacts that the deployment has set. @param roll in [0, 1), chooses one of several numbers */
export function servedContacts(
  { announcementsUrl, email, phone, whatsapp }: Config["support"],
  roll: number,
): Served {
  const number = pickRandom(whatsapp, roll);
  const given = {
    email: email !== null,
    phone: phone !== null,
    whatsapp: number !== undefined,
    announcements: announcementsUrl !== null,
  };
  const facts = Object.entries({
    email,
    phone: phone && formatPhone(phone),
    "phone-link": phone && phoneLink(phone),
    whatsapp: number === undefined ? null : whatsappLink(number),
    announcements: announcementsUrl,
  }).flatMap(([name, fact]): [string, string][] => (fact === null ? [] : [[name, fact]]));
  return { cases: new Map([[SERVED_PARTS.contacts, contactsCase(given)]]), facts: new Map(facts) };
}

/** Since when the terms of service hold, or that they are a template. @param since ISO day */
export function servedTerms(since: string | null, language: Language): Served {
  return {
    cases: new Map([[SERVED_PARTS.terms, since === null ? "template" : "dated"]]),
    facts: new Map(
      since === null ? [] : [["terms-since", formatLongDate(language, Date.parse(since), "UTC")]],
    ),
  };
}

/** From how much lost time in a day on it is given back, or that none is. */
export function servedDaysBack(minutes: number | null, language: Language): Served {
  return {
    cases: new Map([[SERVED_PARTS.daysBack, minutes === null ? "off" : "on"]]),
    facts: new Map(minutes === null ? [] : [["days-back", formatServiceTime(language, minutes * MINUTE_MS)]]),
  };
}

/** Where the visitor is, as far as the edge knows. */
export function visitorTimeZone(c: Context<AppEnv>, otherwise = "UTC"): string {
  const zone = c.req.raw.cf?.timezone;
  return (typeof zone === "string" ? knownTimeZone(zone) : undefined) ?? otherwise;
}

/** A row of a list, in one of the forms that it can take, and the facts in it. */
export type ServedRow = { form: string; facts: ReadonlyMap<string, string> };

const ROW = /<li data-row="(\S+) (\S+)"(.*?<\/li>)/gs;

/** Writes each list's rows where the page has the forms of one. A list that nothing is known of has none. */
function serveRows(html: string, lists: ReadonlyMap<string, readonly ServedRow[]>): string {
  const forms = new Map(
    [...html.matchAll(ROW)].map(([, list = "", form = "", rest = ""]) => [
      caseName(list, form),
      `<li${rest}`,
    ]),
  );
  const isWritten = new Set<string>();
  return html.replaceAll(ROW, (_row, list: string) => {
    if (isWritten.has(list)) return "";
    isWritten.add(list);
    const rows = lists.get(list) ?? [];
    return rows.map(({ form, facts }) => fillIn(forms.get(caseName(list, form)) ?? "", facts)).join("");
  });
}

/** Puts facts where their tokens stand. */
function fillIn(html: string, facts: Iterable<readonly [name: string, fact: string]>): string {
  return [...facts].reduce(
    (text, [name, fact]) => text.replaceAll(factToken(name), () => escapeHtml(fact)),
    html,
  );
}

/** Text that can stand in HTML, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** The platform's health in each city; that nothing is known, where nothing is. Null where nothing can be read. */
export function servedHealth(
  known: PlatformHealthResponse | null,
  { language, now }: { language: Language; now: number },
): Served {
  const part = SERVED_PARTS.health;
  if (!known) return unknownParts([part]);
  const { cities } = known;
  const rows = cities.map((city): ServedRow => {
    const { days } = city;
    const trouble = lastTrouble(days);
    const day = trouble && formatDate(language, dayOfDate(trouble.date) * DAY_MS, "UTC");
    return {
      form: city.state,
      facts: new Map([
        ["city", city.city === OTHER_CITY ? formatMessage(language, "city_other") : city.city],
        ["state", stateText(city, { language, now })],
        [
          "trouble",
          day === null
            ? formatMessage(language, "health_no_trouble")
            : formatMessage(language, "health_last_trouble", { day }),
        ],
        ["bars-working", healthBars(days, "working")],
        ["bars-slow", healthBars(days, "slow")],
        ["bars-down", healthBars(days, "down")],
        ["bars-unknown", healthBars(days, "unknown")],
      ]),
    };
  });
  return {
    cases: new Map([[part, rows.length > 0 ? "listed" : "none"]]),
    facts: new Map(),
    lists: new Map([[part, rows]]),
  };
}

function stateText(
  { state, since, isOurs, timeZone }: CityHealthNow,
  { language, now }: { language: Language; now: number },
): string {
  const slots = { since: formatUntil(language, since, { timeZone, now }) };
  if (state === "working") return formatMessage(language, "health_working");
  if (state === "unknown") return formatMessage(language, "health_unknown_now");
  if (isOurs) return formatMessage(language, "health_ours_since", slots);
  return formatMessage(language, state === "slow" ? "health_slow_since" : "health_down_since", slots);
}
