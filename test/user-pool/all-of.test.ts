import { expect, it } from "vitest";
import { allOf } from "../../worker/identity/pool-context.ts";

const failed = (message: string) => Promise.reject(new Error(message));

it("gives the last result once both parts have ended, and fails with the first that did", async () => {
  expect(await allOf(Promise.resolve("one"), Promise.resolve("other"))).toBe("other");
  await expect(allOf(failed("one"), Promise.resolve("other"))).rejects.toThrow("one");
  await expect(allOf(Promise.resolve("one"), failed("other"))).rejects.toThrow("other");
  await expect(allOf(failed("one"), failed("other"))).rejects.toThrow("one");
});

it("waits for the slower part where the faster fails", async () => {
  let hasEnded = false;
  const slow = new Promise<void>((resolve) => {
    setImmediate(() => {
      hasEnded = true;
      resolve();
    });
  });
  await expect(allOf(failed("one"), slow)).rejects.toThrow("one");
  expect(hasEnded).toBe(true);
});
