import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { serverMessage } from "../../db/shapes/work/live.ts";
import { responseShape } from "./readers.ts";
import { samplesOf, wordVariantsOf } from "./tomorrow.ts";

/**
 * The shapes that the page of the last release parses with, as JSON schemas that `npm run skew -- --record` took from
 * its sources.
 */
const recorded = z
  .looseObject({ properties: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL("../fixtures/skew/responses.json", import.meta.url), "utf8")));

/**
 * Responses that a page of the last release refuses, since it reads only the words that it knows: the operators' console, which
 * an operator reloads. A page that is tolerant itself leaves them out.
 */
const REFUSED_BY_LAST_RELEASE = /^(fleetResponse: |actResponse: waiting )/;

/** Fields that are sent to none but a page that says in its request that it knows them. */
const SENT_IF_KNOWN: Readonly<Record<string, readonly string[]>> = { notificationPreferences: ["question"] };

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(recorded, "release");

/** A case of a union that is only read, and never sent. */
const ONLY_READ = /"(kind|code|status|step|outcome)":"other"/;

/**
 * Words that are newer than the last release, whose page reads none but its own: it stays with what it has until it is loaded
 * again. From this release on, a page leaves them out.
 */
const ADDED_SINCE =
  /"(kind|state)":"(limit|rule|unreadable|blocks_unreadable|drift_noted|match_gone|question_asked|question_closed|spot_moved|passkeys|limit_reached)"|"pause":"(card_disputed|untold|refunded)"|"code":"(weekly_limit|passed|unanswered|only_told|date_off|day_limit|week_limit|goal_reached|rest|travel)"|"reason":"(already_yours|probably_yours)"|"event":"(push_added|calendar_added|passkey_added|passkey_removed)"|"act":"(check_payment|end_renewal|unlock|change_number|export_data|erase|ask|decline|after_restore|release_renewals|revoke_keys|rotate_keys|compensate_raffle|end_sessions)"|"snapshot":null/;

const isOnlyRead = (value: unknown) => {
  const text = JSON.stringify(value);
  return ONLY_READ.test(text) || ADDED_SINCE.test(text);
};

function withoutReadCases(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReadCases).filter((item) => !isOnlyRead(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutReadCases(field)]));
}

function withoutFields(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || fields.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key)));
}

describe.each(Object.keys(recorded.properties))("the page of the last release", (name) => {
  it(`reads what this one sends as ${name}`, () => {
    const validate = ajv.compile({ $ref: `release#/properties/${name}` });
    const shape = name === "serverMessage" ? serverMessage : responseShape(name);
    const sent = samplesOf(shape)
      .map(withoutReadCases)
      .map((sample) => withoutFields(sample, SENT_IF_KNOWN[name] ?? []))
      .filter((sample) => !isOnlyRead(sample));
    const refused = sent.flatMap((sample) =>
      [{ name: "a sample", value: sample }, ...wordVariantsOf(shape, sample)]
        .filter(({ value }) => !isOnlyRead(value) && !validate(value))
        .map((variant) => `${name}: ${variant.name}`),
    );
    expect([...new Set(refused)].filter((line) => !REFUSED_BY_LAST_RELEASE.test(line))).toEqual([]);
    expect(sent).not.toEqual([]);
  });
});
