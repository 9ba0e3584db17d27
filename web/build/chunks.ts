import { resolve } from "node:path";
import type { Rolldown } from "vite";
import { HOME_REST } from "../early/page-root.ts";

const WEB = resolve(import.meta.dirname, "..");

/** The page. */
const input = { index: resolve(WEB, "index.html") };

/**
 * Few chunks instead of one per shared module: what every screen needs, the forms' library with what only forms use,
 * and the rest by the screens that share it, where small groups join the one most alike.
 */
const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    // What runs before the rest has loaded.
    {
      name: "start",
      test: /\/web\/early\/(?:page-root|early-calls)\.ts|vite\/preload-helper|rolldown\/runtime/,
      priority: 5,
    },
    // Without what runs when it is loaded and imports the rest.
    {
      name: "app",
      tags: ["$initial"],
      test: /^(?!.*\/web\/index\.html)/,
      priority: 4,
    },
    // What the visitors' forms share with the dashboard, and the dashboard with all that it needs.
    {
      name: "base",
      test: /\/(?:locales|web\/features\/language)\/format\.ts|\/locales\/phone-number\.ts|\/web\/(?:ui\/(?:banner|form-error|use-now)|features\/errors\/stale-notice)\.|\/icons\/(?:copy|rotate-ccw-clock)\.m?js/,
      priority: 3.8,
    },
    { name: "home", test: /\/web\/routes\/flex\/dashboard\.tsx\?tsr-split/, priority: 3.5 },
    // What the dashboard shows beneath the feed, and what it rarely has to say: after its first paint.
    {
      name: HOME_REST,
      test: /\/web\/(?:features\/(?:earnings\/(?:earnings|week)|rewards\/(?:points-card|next-reward|reward-labels)|raffle\/raffle-won|announcements\/(?:announce|dismissed))|api\/queries\/(?:raffles|rewards|announcements))/,
      priority: 3.45,
    },
    // What a driver's screens rarely show: few lines each, which together are worth a file.
    {
      name: "rare",
      test: /\/web\/(?:features\/(?:arrival\/arrived-frame|linking\/selfie-frame|payments\/same-again-link|spots\/(?:waiting-spot|spot-card|city-label|has-spot))|ui\/sandboxed-frame|api\/queries\/(?:arrival|saved-cards|spots))\.|worker\/contract\/money\/spots\./,
      priority: 3.42,
    },
    // Starts on every screen, soon after the first paint.
    { name: "lifecycle", test: /\/web\/page\/app-lifecycle\.tsx/, priority: 3.4 },
    {
      name: "forms",
      test: /@tanstack\/(?:react-)?(?:form|pacer|devtools)|\/web\/ui\/form\//,
      minShareCount: 2,
      priority: 3,
    },
    { name: "toasts", test: /node_modules\/sonner/, minShareCount: 2, priority: 4 },
    // What nearly every screen needs, and would be many small files.
    { name: "common", minShareCount: 5, priority: 2 },
    { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 30_000, priority: 1 },
  ],
};

/** How the page is bundled. */
export const bundling: Rolldown.InputOptions & { output: Rolldown.OutputOptions } = {
  input,
  output: {
    codeSplitting,
    // Without the list of screens that share a chunk.
    chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
  },
};
