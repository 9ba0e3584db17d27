import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../worker/operators/main.ts", import.meta.url));

/** A console that has one alert, says who asked, and knows no other address. */
const heard: { path: string | undefined; id: unknown }[] = [];
const answering = createServer((request, response) => {
  heard.push({ path: request.url, id: request.headers["cf-access-client-id"] });
  const isKnown = request.url === "/ops/v1/alerts";
  const alerts = [{ about: "service", name: "texts.gateway", reason: "credentials", at: 0 }];
  response.writeHead(isKnown ? 200 : 403, { "content-type": "application/json" });
  response.end(JSON.stringify(isKnown ? { alerts, hasMore: false } : {}));
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void answering.listen(0, "127.0.0.1", resolve));
  const address = answering.address();
  origin = typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "";
});
afterAll(() => void answering.close());

/** `npm run ops -- …`, as an operator runs it. */
function ops(args: string[], more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], ...more };
    execFile(process.execPath, [PROGRAM, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

it("asks the console with a service token, and ends with 1 where something is wrong", async () => {
  const env = { PUBLIC_URL: origin, CF_ACCESS_CLIENT_ID: "id.access", CF_ACCESS_CLIENT_SECRET: "secret" };
  expect(await ops(["alerts"], env)).toEqual({
    code: 1,
    output: "1970-01-01T00:00:00.000Z  texts.gateway  credentials\n1 open alerts\n",
  });
  expect(await ops(["spots"], env)).toEqual({ code: 2, output: "The console answered with 403.\n" });
  expect(heard).toEqual([
    { path: "/ops/v1/alerts", id: "id.access" },
    { path: "/ops/v1/cities", id: "id.access" },
  ]);
}, 60_000);

it("says how it is used, and what it can't reach", async () => {
  const disable = ["disable", "+15550100177", "--reason", "a test"];
  for (const wrong of [[], ["alerts"], ["refund"], ["reconcile", "--from", "yesterday"], disable]) {
    const told = await ops(wrong);
    expect([told.code, told.output]).toEqual([2, expect.stringContaining("npm run ops -- reconcile")]);
  }
  const env = { PUBLIC_URL: "http://127.0.0.1:9", CF_ACCESS_TOKEN: "token" };
  expect(await ops(["reconcile", "--from", "yesterday"], env)).toMatchObject({ code: 2 });
  expect(await ops(disable, env)).toMatchObject({
    code: 2,
    output: expect.stringContaining("http://127.0.0.1:9 can't be reached"),
  });
}, 60_000);
