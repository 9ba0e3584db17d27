import { afterEach, expect, it, vi } from "vitest";
import { CHALLENGE_HERE, CHALLENGE_PATHS } from "../../../worker/contract/page-parts.ts";
import { isLoadedForChallenge } from "../../../web/features/account/challenge-page.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const pathsLoaded = (attribute: string | null) => {
  vi.stubGlobal("document", { documentElement: { getAttribute: () => attribute } });
  return [...CHALLENGE_PATHS, "/", "/faqs", "/flex/dashboard"].filter(isLoadedForChallenge);
};

it("loads only forms that begin with the challenge, and only where the page's policy forbids it", () => {
  expect(pathsLoaded("elsewhere")).toEqual(CHALLENGE_PATHS.filter((path) => path !== "/login"));
  expect(pathsLoaded("elsewhere")).toContain("/register");
  expect(pathsLoaded(CHALLENGE_HERE)).toEqual([]);
  expect(pathsLoaded(null)).toEqual([]);
});
