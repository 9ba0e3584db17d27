import { afterAll, beforeAll, expect, it } from "vitest";
import { driftCells, type DriftCell } from "../support/drift-cells.ts";
import { tellStory, type Finding } from "./conform/story.ts";
import { openSandboxHarness, START, type SandboxHarness } from "./sandbox-harness.ts";

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.server.stop());

const CALLS: [RegExp, string, string][] = [
  [/\/v1\/offers$/, "GET", "offers"],
  [/\/accept$/, "POST", "accept"],
  [/\/v1\/blocks$/, "GET", "blocks"],
  [/\/v1\/driver$/, "GET", "driver"],
  [/\/v1\/warehouses$/, "GET", "warehouses"],
  [/\/v1\/token$/, "POST", "refresh"],
  [/\/v1\/sessions/, "", "session"],
];

async function conform(
  cell: DriftCell | null = null,
): Promise<{ findings: Finding[]; hasViolated: boolean }> {
  await harness.clear();
  await harness.drop({ inMinutes: 300 });
  await harness.drop({ inMinutes: 360 });
  let hasViolated = false;
  const send = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    const { pathname } = new URL(request.url);
    const [, , operation] =
      CALLS.find(([path, method]) => path.test(pathname) && request.method.includes(method)) ?? [];
    const { status, headers } = response;
    if (cell === null || cell.operation !== operation || status >= 300 || status === 204 || status === 202)
      return response;
    const body: unknown = await response.json();
    const changed = cell.apply(body);
    hasViolated ||= !cell.violates(body) && cell.violates(changed);
    return new Response(JSON.stringify(changed), { status, headers });
  };
  const findings = await tellStory({
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

/** One change of each field is enough here: the simulated world lives through all of them. */
const cells = driftCells().filter(({ change }) => change === "null");

it("finds each field that a server changes, by its name", async () => {
  const silent: string[] = [];
  let violations = 0;
  for (const cell of cells) {
    const { findings, hasViolated } = await conform(cell);
    if (!hasViolated) continue;
    violations += 1;
    const leaf = cell.field.split(".").at(-1) ?? "";
    const isNamed = findings.some(({ verdict, what }) => verdict === "differs" && what.includes(leaf));
    if (!isNamed) silent.push(`${cell.call} ${cell.field}, ${cell.change}`);
  }
  expect(silent).toEqual([]);
  expect(violations).toBeGreaterThan(30);
});
