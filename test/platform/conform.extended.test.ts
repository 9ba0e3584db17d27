import { afterAll, beforeAll, expect, it } from "vitest";
import { driftCells, type DriftCell } from "../support/drift-cells.ts";
import { runConformance, type Finding } from "./conform/story.ts";
import { MINUTE, openSandboxHarness, START, type SandboxHarness } from "./sandbox-harness.ts";
import { shuffle } from "../support/seeded-rolls.ts";
import { RUN_SEED } from "../support/run-seed.ts";

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.server.stop());

const CALLS: [RegExp, string, string][] = [
  [/\/v1\/offers$/, "GET", "offers"],
  [/\/accept$/, "POST", "accept"],
  [/\/v1\/blocks$/, "GET", "blocks"],
  [/\/check-in$/, "POST", "check in"],
  [/\/v1\/earnings$/, "GET", "earnings"],
  [/\/v1\/driver$/, "GET", "driver"],
  [/\/v1\/warehouses$/, "GET", "warehouses"],
  [/\/v1\/token$/, "POST", "refresh"],
  [/\/v1\/sessions/, "", "session"],
];

/** A block that the driver took by hand and that starts now. */
async function giveBlock(): Promise<void> {
  const { drivers } = await harness.control<{ drivers: { driverId: string }[] }>(
    "GET",
    "/sandbox/platform/world",
  );
  const startsAt = new Date(START + 20 * MINUTE).toISOString();
  const terms = { warehouseId: "nyc-dny4", startsAt, minutes: 60, payCents: 9000 };
  await harness.control("POST", "/sandbox/platform/blocks", { driverId: drivers[0]?.driverId, ...terms });
}

async function conform(
  cell: DriftCell | null = null,
): Promise<{ findings: Finding[]; hasViolated: boolean }> {
  await harness.clear();
  await harness.drop({ inMinutes: 300 });
  await harness.drop({ inMinutes: 360 });
  let hasViolated = false;
  let isGiven = false;
  const send = async (request: Request): Promise<Response> => {
    if (request.url.includes("/v1/blocks?") && !isGiven) {
      isGiven = true;
      await giveBlock();
    }
    const response = await fetch(request);
    const { pathname } = new URL(request.url);
    const [, , operation] =
      CALLS.find(([path, method]) => path.test(pathname) && request.method.includes(method)) ?? [];
    const { status, headers } = response;
    const isMeant = cell?.isRefusal ? status >= 400 && status < 500 : status < 300;
    if (cell === null || cell.operation !== operation || !isMeant || status === 204 || status === 202)
      return response;
    const body: unknown = await response.json();
    const changed = cell.apply(body);
    hasViolated ||= !cell.violates(body) && cell.violates(changed);
    return new Response(JSON.stringify(changed), { status, headers });
  };
  const findings = await runConformance({
    baseUrl: harness.server.url,
    email: "driver@example.com",
    password: "good",
    code: () => harness.codeFor("driver@example.com"),
    send,
    now: () => START,
    wait: () => Promise.resolve(),
    patienceMs: 0,
    mayTake: true,
  });
  return { findings, hasViolated };
}

it("finds that the sandbox keeps the whole contract, and leaves nothing out", async () => {
  const { findings } = await conform();
  expect(findings.filter(({ verdict }) => verdict !== "kept")).toEqual([]);
  expect(findings.length).toBeGreaterThan(20);
});

/**
 * With DRIFT=whole all changes of all fields; else one change of each field, and others for each commit.
 */
const isWhole = process.env["DRIFT"] === "whole";
const SOME = 40;
const cells = driftCells().filter(({ change }) => isWhole || change === "null");
const others = driftCells().filter((cell) => !isWhole && cell.change !== "null");
cells.push(...shuffle(others, RUN_SEED).slice(0, SOME));

it(
  `finds each field that a server changes by its name, seed ${RUN_SEED}`,
  { timeout: 1_800_000 },
  async () => {
    const silent: string[] = [];
    const met = new Set<string>();
    let violations = 0;
    for (const cell of cells) {
      const { findings, hasViolated } = await conform(cell);
      if (!hasViolated) continue;
      violations += 1;
      const leaf = cell.field.split(".").at(-1) ?? "";
      const isNamed = findings.some(({ verdict, what }) => verdict === "differs" && what.includes(leaf));
      met.add(`${cell.operation}${cell.isRefusal ? ", refused" : ""}`);
      if (!isNamed) silent.push(`${cell.call} ${cell.field}, ${cell.change}`);
    }
    expect(silent).toEqual([]);
    for (const call of ["accept, refused", "check in", "check in, refused", "earnings"])
      expect(met).toContain(call);
    expect(violations).toBeGreaterThan(isWhole ? 200 : 30);
  },
);
