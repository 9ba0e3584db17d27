import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { BlocksResponse } from "../../worker/contract/work/blocks.ts";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { shuffle } from "../support/seeded-rolls.ts";
import { allCells, nameOf, onceEach, TEXT_SIZES, WIDTHS, type Cell } from "../matrix/cells.ts";
import { keep, loadClean, summarize } from "../matrix/report.ts";
import { visit, visitCapture, visitLoad, type Finding } from "../matrix/walk.ts";
import { payByCard } from "../support/pay-by-card.ts";
import { acceptOnPlatform, platformWorld, postJson } from "../support/sandbox-client.ts";
import { registerDriver, type RegisteredDriver } from "../support/drivers.ts";
import {
  createActiveDriver,
  joinActiveDriver,
  openE2eHarness,
  publishOffer,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";
import { RUN_SEED } from "../support/run-seed.ts";

/**
 * `npm run matrix` looks at every cell, or with `MATRIX_ONLY` at those whose name matches; `MATRIX=rest` leaves out those
 * that an earlier run found clean, and `MATRIX=once` takes each screen and sheet once in each width, in a language and text
 * size that the seed decides. Every other run looks at as many of all cells as this time allows.
 */
const { MATRIX } = process.env;
const IS_WHOLE = MATRIX !== undefined;
const MATRIX_ONLY = process.env["MATRIX_ONLY"] ?? "";
const isAsked = (cell: Cell) => new RegExp(MATRIX_ONLY).test(nameOf(cell));
const PART_MS = 6_000;
const HOURS = 3 * 3_600_000;

/** Every row of the support sheet. The chat is loaded by its button only. */
const SUPPORT = {
  CHATWOOT_URL: "http://chat.localhost",
  CHATWOOT_TOKEN: "web1",
  CHATWOOT_HMAC_KEY: "signing0",
  OPS_URL: "http://ops.localhost",
  SUPPORT_EMAIL: "help@example.com",
  SUPPORT_PHONE: "+15550100190",
  SUPPORT_WHATSAPP: "+15550100191",
  ANNOUNCEMENTS_URL: "https://example.com/announcements",
};

let harness: E2eHarness;
let driver: ActiveDriver;
let newcomer: RegisteredDriver;
let verifying: ActiveDriver;
let paymentId: string;
beforeAll(async () => {
  harness = await openE2eHarness(SUPPORT);
  driver = await createActiveDriver(harness);
  newcomer = await registerDriver(harness.app, { serviceMs: 1 });
  verifying = await joinActiveDriver(harness);
  await wantSelfie(verifying);
  for (const [index, payCents] of [9_000, 12_050].entries())
    await publishOffer(harness, driver.warehouseIds[index]!, { inMinutes: 200 + index * 240, payCents });
  // Passed over: a warehouse that isn't selected, and two that overlap a block.
  await publishOffer(harness, driver.warehouseIds[4]!, { inMinutes: 800 });
  for (const payCents of [9_100, 12_075])
    await publishOffer(harness, driver.warehouseIds[1]!, { inMinutes: 230, payCents });
  const { origin } = harness.app;
  // By hand: one that they can check in to, and one of last week, which has earned.
  for (const inMinutes of [50, -7 * 24 * 60])
    await acceptOnPlatform({ fetch, origin }, driver.email, {
      warehouseId: driver.warehouseIds[0]!,
      inMinutes,
    });
  // The platform's refusal for an overlap has the blocks read at once.
  await publishOffer(harness, driver.warehouseIds[2]!, { inMinutes: 60 });
  // A page that is loaded while its figures still change would move by itself.
  const listed = async (type: string) =>
    (await driver.client.fetchJson<BlocksResponse>("GET", `/flex/v1/blocks?type=${type}`)).items.length;
  const isSettled = async () => expect([await listed("won"), await listed("disliked")]).toEqual([2, 3]);
  await vi.waitFor(isSettled, { timeout: 30_000, interval: 250 });
  const first = await payByCard(origin, driver.client, null);
  paymentId = await payByCard(origin, driver.client, first);
});
afterAll(() => harness.close());

/** The platform's selfie, on our own address: any other would have to be reached. */
async function wantSelfie({ email }: ActiveDriver): Promise<void> {
  const outside = { fetch, origin: harness.app.origin };
  await postJson(outside, "/sandbox/world", { selfie: { origin: harness.app.origin } });
  const { drivers } = await platformWorld(outside);
  const driverId = drivers.find((known) => known.email === email)?.driverId ?? "";
  await postJson(outside, `/sandbox/platform/drivers/${driverId}/verification`, { required: true });
}

const stage = () => ({
  browser: harness.browser,
  origin: harness.app.origin,
  actors: { driver, newcomer, verifying },
  paymentId,
  setLanguage: (language: string) => harness.app.sql(`UPDATE users SET language = ?`, language),
});

describe(`the matrix, seed ${RUN_SEED}`, () => {
  it(
    "has no violation, no sideways scroll, no broken word, no small target and no shift",
    async () => {
      const clean = MATRIX === "rest" ? loadClean() : new Set<string>();
      const asked = shuffle(allCells(), RUN_SEED).filter((cell) => isAsked(cell) && !clean.has(nameOf(cell)));
      const cells = MATRIX === "once" ? onceEach(asked) : asked;
      const until = Date.now() + (IS_WHOLE ? HOURS : PART_MS);
      const findings: Finding[] = [];
      for (const cell of cells) {
        if (Date.now() > until) break;
        findings.push(await visit(stage(), cell));
        if (IS_WHOLE) keep(findings.slice(-1));
      }
      console.log(`matrix: ${findings.length} of ${cells.length} loads, both themes each, seed ${RUN_SEED}`);
      expect(summarize(findings)).toEqual([]);
    },
    IS_WHOLE ? HOURS : 120_000,
  );

  it("moves nothing where what loads is shorter, taller or not there at all", async () => {
    const narrow = { language: "pt", width: 320, text: 200 } as const;
    const cells: Cell[] = [
      { path: "/login", viewer: "visitor", ...narrow },
      { path: "/raffle/nowhere", viewer: "visitor", ...narrow, text: 100 },
      { path: "/raffle/nowhere", viewer: "driver", ...narrow, width: 768 },
      { path: "/arrived", viewer: "driver", ...narrow },
      { path: "/contact", viewer: "driver", ...narrow },
      { path: "/flex/profile", viewer: "driver", ...narrow, text: 100 },
      { path: "/flex/login", viewer: "newcomer", ...narrow, width: 1_440, text: 100 },
      { path: "/flex/dashboard", viewer: "verifying", language: "en", width: 375, text: 100 },
    ];
    const findings: Finding[] = [];
    for (const cell of cells) findings.push(await visitLoad(stage(), cell));
    expect(summarize(findings)).toEqual([]);
  }, 120_000);

  it(
    "moves nothing when a block is captured",
    async () => {
      const cells: Cell[] = shuffle(
        LANGUAGES.flatMap((language) =>
          WIDTHS.flatMap((width) =>
            TEXT_SIZES.map((text) => ({ path: "", viewer: "driver" as const, language, width, text })),
          ),
        ),
        RUN_SEED,
      ).slice(0, IS_WHOLE ? undefined : 1);
      const findings: Finding[] = [];
      for (const [index, cell] of cells.entries()) {
        const payCents = 10_001 + index;
        findings.push(
          await visitCapture(stage(), cell, async (page) => {
            await publishOffer(harness, driver.warehouseIds[2]!, {
              inMinutes: 1_500 + index * 200,
              payCents,
            });
            await page
              .getByText(/1(?:00|[01]\d)[.,]\d\d/)
              .first()
              .waitFor();
          }),
        );
      }
      expect(summarize(findings)).toEqual([]);
    },
    IS_WHOLE ? HOURS : 120_000,
  );
});
