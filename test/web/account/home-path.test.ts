import { expect, it } from "vitest";
import { homePathFor } from "../../../web/features/session/home-path.ts";

it.each([
  [false, false, false, "/flex/login"],
  [true, false, false, "/flex/filters"],
  [true, true, false, "/flex/payments"],
  [true, true, true, "/flex/dashboard"],
])(
  "linked %s, set up %s, paid %s lands at the first step that is missing",
  (proxyInstalled, setupComplete, goodStanding, path) => {
    expect(homePathFor({ proxyInstalled, setupComplete, goodStanding })).toBe(path);
  },
);
