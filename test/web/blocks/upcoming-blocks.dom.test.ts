import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as live from "../../../web/api/live/live.ts";
import { UpcomingBlocks } from "../../../web/features/blocks/upcoming-blocks.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.spyOn(live, "connectLive").mockReturnValue(vi.fn()));
afterEach(() => {
  live.resetLive();
  vi.restoreAllMocks();
});

it.each([
  [{ connection: "connecting" }, /^Loading/u],
  [{ connection: "waiting" }, /^Error loading blocks:.*We'll keep trying/u],
  [{ connection: "open", isUnreadable: true }, /^Error loading blocks:.*older than our service.*Reload/u],
  [{ connection: "revoked" }, /^Your session ended/u],
] as const)("says why no block is shown while there is no snapshot: %j", async (state, text) => {
  await renderPart(createElement(UpcomingBlocks));
  act(() => live.liveStore.setState((before) => ({ ...before, ...state })));
  const said = screen.queryByRole("alert") ?? screen.getByRole("status");
  expect(said.textContent).toMatch(text);
});
