import { describe, expect, it } from "vitest";
import { describeError, errorName } from "../../durable/runtime/describe-error.ts";

const PHONE = "+15550109999";
const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl";

class QueryError extends Error {}

function failingQuery(): Error {
  const refused = new TypeError(`no such user: ${PHONE}`);
  return new QueryError(`select * from users where token = ${TOKEN}\nparams: ${PHONE}`, { cause: refused });
}

describe("the description of an error", () => {
  it("has class and frames of the error and of its causes", () => {
    const { error, frames, causes } = describeError(failingQuery());
    expect([error, ...causes.map((cause) => cause.error)]).toEqual(["QueryError", "TypeError"]);
    const thrownHere = /^failingQuery \(.*test\/worker\/describe-error\.test\.ts:\d+:\d+\)$/;
    expect(frames[0]).toMatch(thrownHere);
    expect(causes[0]?.frames[0]).toMatch(thrownHere);
  });

  it("contains nothing of a message, even if its lines look like frames", () => {
    const looksLikeFrames = `refused\n    at ${TOKEN.replaceAll(".", "_")} (x.ts:1:2)\n    at n5550109999 (y.ts:3:4)`;
    const line = JSON.stringify([
      describeError(failingQuery()),
      describeError(new Error(looksLikeFrames, { cause: new Error(looksLikeFrames) })),
      describeError(Object.assign(new Error("x"), { name: `Error of ${PHONE}` })),
      describeError(PHONE),
      describeError(new Error("x", { cause: { token: TOKEN } })),
    ]);
    for (const secret of ["5550109999", "eyJ", "select", "params", "refused"]) {
      expect(line).not.toContain(secret);
    }
  });

  it.each([
    [
      "    at async Store.load [as read] (file:///srv/app/durable/driver/store.ts:120:34)",
      "Store.load (app/durable/driver/store.ts:120:34)",
    ],
    ["    at new <anonymous> (worker.js:1:2)", "<anonymous> (worker.js:1:2)"],
    ["    at #step (worker.js?v=41a:1:3812)", "#step (worker.js:1:3812)"],
    ["    at async https://app.test/a/b.js:7:8", "app.test/a/b.js:7:8"],
    ["    at $ (a+b://@x/~y_z-1.js:1234567:1234567)", "$ (@x/~y_z-1.js:1234567:1234567)"],
  ])("reads %o as a frame", (line, frame) => {
    const thrown = Object.assign(new Error("m"), { stack: `Error: m\n${line}` });
    expect(describeError(thrown).frames).toEqual([frame]);
  });

  it.each([
    "   at a (x.js:1:2)",
    "quoted    at a (x.js:1:2)",
    "    at a (x.js:1:2) of Ana",
    "    at 5550109999 (x.js:1:2)",
    "    at Ana Lima (x.js:1:2)",
    "    at a [as ] (x.js:1:2)",
    "    at Object.apply [as Ana Lima] (x.js:1:2)",
    "    at a (x.js?to=+1 555:1:2)",
    "    at a (x.js:12345678:1)",
    "    at a (x.js:1:12345678)",
  ])("ignores %o, which is no frame", (line) => {
    const thrown = Object.assign(new Error("m"), { stack: `Error: m\n${line}` });
    expect(describeError(thrown).frames).toEqual([]);
  });

  it("is limited for deep and circular causes", () => {
    const circular = new Error("one");
    circular.cause = new Error("two", { cause: circular });
    const deep = Array.from({ length: 50 }).reduce<Error>((cause) => new Error("deep", { cause }), circular);
    expect(describeError(circular).causes).toHaveLength(1);
    expect(describeError(deep).causes).toHaveLength(4);
    const recurse = (depth: number): Error => (depth === 0 ? new Error("deep") : recurse(depth - 1));
    expect(describeError(recurse(100)).frames.length).toBeLessThanOrEqual(12);
  });

  it("accepts any thrown value", () => {
    expect(describeError("words")).toEqual({ error: "string", frames: [], causes: [] });
    expect(describeError(undefined)).toEqual({ error: "undefined", frames: [], causes: [] });
    expect(errorName(new DOMException("gone", "AbortError"))).toBe("AbortError");
    expect(errorName(new QueryError("x"))).toBe("QueryError");
  });
});
