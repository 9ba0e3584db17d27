import { readdirSync } from "node:fs";
import { URL } from "node:url";
import * as z from "zod/mini";
import { findingsOf, type Check } from "./means.ts";

const WRANGLER = "node_modules/wrangler/bin/wrangler.js";
const APPLIED = "SELECT name FROM d1_migrations";
/** Wrangler starts, signs in and asks. */
const LIMIT_MS = 60_000;

const applied = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }));
const refused = z.object({ error: z.object({ text: z.string() }) });

/** The database, and whether all migrations of this folder are applied to it. */
export const checkDatabase: Check = async ({ run }) => {
  const { right, wrong } = findingsOf("database");
  const { code, output } = await run(
    [WRANGLER, "d1", "execute", "jornada", "--remote", "--json", "--command", APPLIED],
    LIMIT_MS,
  );
  const told = parseJson(output);
  const rows = z.safeParse(applied, told);
  if (code === 0 && rows.success) return [compare(rows.data.flatMap(({ results }) => results))];
  const text = z.safeParse(refused, told).data?.error.text ?? "";
  if (code === null)
    return [wrong(`it gave no answer in ${LIMIT_MS / 1000} s: look at cloudflarestatus.com`)];
  if (/no such table: d1_migrations/.test(text))
    return [wrong("it is empty: npm run deploy applies the migrations")];
  if (/CLOUDFLARE_API_TOKEN|logged in|Authentication|code: 1000[01]/i.test(text))
    return [wrong("Cloudflare doesn't know you: run npx wrangler login, or set CLOUDFLARE_API_TOKEN")];
  if (/find a D1|not found|7404/i.test(text))
    return [
      wrong(
        "the account has no such database: run npx wrangler d1 create jornada, and put its id into wrangler.toml",
      ),
    ];
  return [wrong("it can't be asked: npx wrangler d1 info jornada says why")];

  function compare(found: readonly { name: string }[]) {
    const there = new Set(found.map(({ name }) => name));
    const here = listMigrations();
    const missing = here.filter((name) => !there.has(name));
    const [first] = missing;
    if (first !== undefined)
      return wrong(
        `${missing.length} of ${here.length} migrations are missing, ${first} first: npm run deploy applies them before it deploys`,
      );
    const later = there.size - here.length;
    if (later > 0)
      return wrong(
        `it has ${later} migrations that this folder lacks: check out the release that is deployed`,
      );
    return right(`all ${here.length} migrations are applied`);
  }
};

function listMigrations(): string[] {
  return readdirSync(new URL("../../../db/migrations", import.meta.url))
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
}

/** Wrangler may print a line before the answer. */
function parseJson(output: string): unknown {
  const from = output.search(/[[{]\s/);
  try {
    return JSON.parse(output.slice(Math.max(0, from)));
  } catch {
    return null;
  }
}
