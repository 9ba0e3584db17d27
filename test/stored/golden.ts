import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";

const FIXTURES = new URL("../fixtures/stored/", import.meta.url);

/** A row or text as some version wrote it, and the name of its value. */
export type GoldenValue = { name: string; version: number; value: unknown; from: string };

const rows = z.array(
  z.object({
    note: z.string(),
    row: z.looseObject({ key: z.string().optional(), value: z.string(), version: z.int().optional() }),
    opensTo: z.object({ plain: z.string() }).optional(),
  }),
);
const text = z.looseObject({
  value: z.union([z.string(), z.looseObject({})]),
  values: z.array(z.string()).default([]),
  examples: z.array(z.object({ value: z.string() })).default([]),
});

const TABLES: Record<string, string> = {
  attempts: "driver/attempt",
  events: "driver/event",
  outbox: "driver/outboxItem",
  "push-subscriptions": "driver/pushSubscription",
  "sent-texts": "driver/textAbout",
  verdicts: "driver/verdict",
  "held-blocks": "driver/heldBlock",
  listings: "driver/listing",
  "won-blocks": "driver/capturedBlock",
};
/** Former names of keys in `state`. */
const FORMER_KEYS: Record<string, string> = {
  identity: "owner",
  linking: "linkSession",
  sightings: "offerActivity",
  endWarnings: "expiryWarnings",
  heardNews: "seenServiceChanges",
};

/** Every golden row of the driver's object, without the whole objects. */
export function readGoldenRows(): GoldenValue[] {
  return goldenFiles("driver").flatMap(({ file, version, name: table, content }) => {
    if (table === "whole-object") return [];
    return rows.parse(content).flatMap(({ note, row, opensTo }): GoldenValue[] => {
      const from = `${file}: ${note}`;
      const key = row.key ?? "";
      const name = TABLES[table] ?? `driver/state/${FORMER_KEYS[key] ?? key}`;
      const own = { name, version: row.version ?? 0, value: parseJson(row.value), from };
      if (own.version !== version) throw new Error(`${from} has another version than its file`);
      return opensTo && key === "tokens"
        ? [own, { name: "driver/tokenPair", ...parseEnvelope(opensTo.plain), from }]
        : [own];
    });
  });
}

/** Every golden text of the page, with the version from its file name. */
export function readGoldenTexts(): { name: string; version: number; text: string; from: string }[] {
  return goldenFiles("page").flatMap(({ file, version, name, content }) => {
    const { value, values, examples } = text.parse(content);
    const all = [value, ...values, ...examples.map((example) => example.value)];
    return all.flatMap((kept) =>
      typeof kept === "string" ? [{ name: `page/${name}`, version, text: kept, from: file }] : [],
    );
  });
}

/** `v<version>[-<landing>]-<name>.json`. */
function goldenFiles(folder: "driver" | "page") {
  return readdirSync(new URL(`${folder}/`, FIXTURES)).map((file) => {
    const [, version, name] = /^v(\d+)-(?:[0-9a-f]{7}-)?(.+)\.json$/.exec(file) ?? [];
    if (version === undefined || name === undefined) throw new Error(`unexpected file name ${file}`);
    const content: unknown = readFixture(`${folder}/${file}`);
    return { file: `${folder}/${file}`, version: Number(version), name, content };
  });
}

export function readFixture(path: string): unknown {
  return parseJson(readFileSync(new URL(path, FIXTURES), "utf8"));
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

const envelope = z.strictObject({ v: z.int(), value: z.unknown() });

/** Splits an encoded text into version and value. */
export function parseEnvelope(text: string): { version: number; value: unknown } {
  const wrapped = envelope.safeParse(parseJson(text));
  return wrapped.success
    ? { version: wrapped.data.v, value: wrapped.data.value }
    : { version: 0, value: parseJson(text) };
}
