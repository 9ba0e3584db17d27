import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { liveStore, resetLive } from "../../../web/api/live/live.ts";
import { Pulse } from "../../../web/features/dashboard/pulse.tsx";
import { MAX_POLL_SAMPLES } from "../../../web/api/live/live-state.ts";

afterEach(resetLive);

it("draws an answer with open offers taller than one without, and room for those to come", () => {
  const now = Date.now();
  liveStore.setState((state) => ({
    ...state,
    pollSamples: [
      { at: now - 2000, offers: 0 },
      { at: now - 1000, offers: 3 },
      { at: now, offers: 0 },
    ],
  }));
  const html = renderToStaticMarkup(createElement(Pulse, { isAnswering: true }));
  const heights = [...html.matchAll(/<span class="([^"]*)"/gu)].map(([, classes = ""]) =>
    /(?:^| )h-\S+/u.exec(classes)?.[0].trim(),
  );
  expect(heights.slice(-4)).toEqual(["h-0.5", "h-1", "h-3.5", "h-1"]);
  expect(heights).toHaveLength(MAX_POLL_SAMPLES);
});
