import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { AppEnv } from "../../../worker/http/app-env.ts";
import {
  servedContacts,
  servedPlans,
  servedSpots,
  serveCases,
  visitorTimeZone,
} from "../../../worker/http/pages/served-cases.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const reading = { language: "en", now: NOW, timeZone: "America/New_York" } as const;

describe("the parts of a page that depend on the plans", () => {
  const week = { plan: "7days", days: 7, priceCents: 5_000, perDayCents: 714 } as const;
  const plain = { ...week, payCents: 5_000, discount: null };
  const sale = {
    ...week,
    payCents: 4_000,
    discount: { kind: "flash_sale", priceCents: 4_000, endsAt: NOW + 60 * 60_000 },
  } as const;

  it("have the plain price, or the sale's with the one before and its end", () => {
    expect(servedPlans({ currency: "USD", plans: [plain], raffle: null }, reading)).toEqual({
      cases: new Map([
        ["least-price", "known"],
        ["plan-7days", "plain"],
      ]),
      facts: new Map([
        ["day-least", "$7.14"],
        ["days-least", "7"],
        ["price-7days", "$50"],
        ["day-7days", "$7.14"],
      ]),
    });
    expect(servedPlans({ currency: "USD", plans: [sale], raffle: null }, reading)).toEqual({
      cases: new Map([
        ["least-price", "known"],
        ["plan-7days", "sale"],
      ]),
      facts: new Map([
        ["day-least", "$7.14"],
        ["days-least", "7"],
        ["price-7days", "$40"],
        ["day-7days", "$7.14"],
        ["before-7days", "$50"],
        ["until-7days", expect.stringMatching(/^8:00\s(?:AM|a\.m\.)/)],
      ]),
    });
  });

  it("wait in their places where no price is known", () => {
    const { cases, facts } = servedPlans(null, reading);
    expect([...cases]).toEqual(
      ["3days", "7days", "14days", "30days"].map((plan) => [`plan-${plan}`, "unknown"]),
    );
    expect([...facts]).toEqual([]);
  });

  it("have the raffle that is open, with its end", () => {
    const raffle = { id: "nov 26", plan: "14days", endsAt: NOW + 60 * 60_000, winners: 10 } as const;
    expect(servedPlans({ currency: "USD", plans: [], raffle }, reading)).toEqual({
      cases: new Map([["raffle-14days", "open"]]),
      facts: new Map([
        ["raffle", "nov%2026"],
        ["raffle-until-14days", expect.stringMatching(/^8:00/)],
      ]),
    });
  });
});

describe("the contacts of a page", () => {
  const none = { email: null, phone: null, whatsapp: [], announcementsUrl: null };

  it("are those that are set, one of several numbers by chance", () => {
    expect(servedContacts(none, 0.5)).toEqual({ cases: new Map([["contacts", "none"]]), facts: new Map() });
    const all = {
      email: "help@turno.example",
      phone: "+15550100100",
      whatsapp: ["+15550100101", "+15550100102"],
      announcementsUrl: "https://turno.example/news",
    };
    const { cases, facts } = servedContacts(all, 0.5);
    expect([...cases]).toEqual([["contacts", "email-phone-whatsapp-announcements"]]);
    expect(Object.fromEntries(facts)).toEqual({
      email: all.email,
      phone: "+1 (555) 010-0100",
      "phone-link": "tel:+15550100100",
      whatsapp: "https://wa.me/15550100102",
      announcements: all.announcementsUrl,
    });
  });
});

describe("the spots of a page", () => {
  const form = (name: string) => `<li data-row="spots ${name}" class="${name}">__city__: __spots__</li>`;
  const html = `<template data-case="spots listed"><ul>${form("left")}${form("full")}</ul></template>.`;

  it("are a row for each city, in the form that it has", () => {
    const cities = [
      { city: "Bogota & <Chia>", spots: 5, left: 1, waiting: 0 },
      { city: "Lima", spots: 2000, left: 1500, waiting: 0 },
      { city: "other", spots: 2, left: 0, waiting: 3 },
    ];
    expect(serveCases(html, [servedSpots({ cities }, "en")])).toBe(
      '<!--now--><ul><li class="left">Bogota &amp; &lt;Chia>: 1 spot left</li><li class="left">Lima: 1,500 spots left</li>' +
        '<li class="full">your city: Full, 3 on the waitlist</li></ul><!--/now-->.',
    );
  });

  it("are nothing where no city has a limit", () => {
    expect(serveCases(html, [servedSpots({ cities: [] }, "pt")])).toBe(".");
  });
});

it("serves of a part the form that it has, and nothing of one of which nothing is known", () => {
  const html = `<template data-case="terms x">__one__</template><template data-case="terms y">y</template><template data-case="b x">b</template>`;
  const served = { cases: new Map([["terms", "x"]]), facts: new Map([["one", "<1>"]]) };
  expect(serveCases(html, [served])).toBe("&lt;1>");
});

it("takes a visitor to be where the edge says, else nowhere", async () => {
  const app = new Hono<AppEnv>().get("/", (c) => c.text(visitorTimeZone(c)));
  const zoneOf = async (cf: unknown) => {
    const request = Object.defineProperty(new Request("https://turno.example/"), "cf", { value: cf });
    return (await app.request(request)).text();
  };
  expect(
    await Promise.all(
      [{ timezone: "America/Bogota" }, { timezone: "Etc/Unknown" }, { timezone: 5 }, undefined].map(zoneOf),
    ),
  ).toEqual(["America/Bogota", "UTC", "UTC", "UTC"]);
});
