import { afterEach, expect, it, vi } from "vitest";
import { followTheme, THEMES } from "../../../web/features/ui-state/theme.ts";

afterEach(() => void vi.unstubAllGlobals());

/** A page in a browser whose device prefers the dark or not, and changes its mind. */
function openPage(prefersDark: boolean) {
  const media = Object.assign(new EventTarget(), { matches: prefersDark });
  const bar = { content: "", dataset: { light: "#fff", dark: "#000" } };
  const other = { content: "kept", dataset: {} };
  const root = { dataset: { theme: "" } };
  vi.stubGlobal("matchMedia", (query: string) => {
    expect(query).toBe("(prefers-color-scheme: dark)");
    return media;
  });
  vi.stubGlobal("document", { documentElement: root, querySelectorAll: () => [bar, other] });
  return {
    turn: (matches: boolean) => {
      media.matches = matches;
      media.dispatchEvent(new Event("change"));
    },
    shown: () => [root.dataset.theme, bar.content, other.content],
  };
}

const LIGHT = ["light", "#fff", "kept"];
const DARK = ["dark", "#000", "kept"];

it("shows the chosen theme, and the device's where none is chosen, as it changes", () => {
  const seen = THEMES.map((theme) => {
    const { turn, shown } = openPage(false);
    const end = followTheme(theme);
    const before = shown();
    turn(true);
    const after = shown();
    end();
    return [theme, before, after];
  });
  expect(seen).toEqual([
    ["light", LIGHT, LIGHT],
    ["dark", DARK, DARK],
    ["system", LIGHT, DARK],
  ]);
});

it("follows the device no longer once another theme is chosen", () => {
  const { turn, shown } = openPage(true);
  followTheme("system")();
  expect(shown()).toEqual(DARK);
  turn(false);
  expect(shown()).toEqual(DARK);
});
