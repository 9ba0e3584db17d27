import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  hasReloadedFor,
  isMissingChunk,
  markMissingChunk,
} from "../../../web/features/errors/missing-chunk.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

beforeEach(() => void createBrowserHarness());
afterEach(() => void vi.unstubAllGlobals());

it("reloads once for each chunk that is missing, and never where it can't note that it did", () => {
  expect([hasReloadedFor("a.js"), hasReloadedFor("a.js"), hasReloadedFor("b.js")]).toEqual([
    false,
    true,
    false,
  ]);
  vi.stubGlobal("sessionStorage", undefined);
  expect(hasReloadedFor("c.js")).toBe(true);
});

it("takes an error for a missing chunk only where the page's loader says so", () => {
  const error = new TypeError("Failed to fetch");
  expect(isMissingChunk(error)).toBe(false);
  markMissingChunk(error);
  expect([isMissingChunk(error), error.message]).toEqual([true, "Code is missing: Failed to fetch"]);
  expect(isMissingChunk(new TypeError(error.message))).toBe(false);
});
