import { resolve } from "node:path";
import type { Rolldown, Plugin } from "vite";
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
    // Code that runs before the rest has loaded.
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
    // Code that the visitors' forms share with the dashboard, and the dashboard with all that it needs.
    {
      name: "base",
      test: /\/(?:locales|web\/features\/language)\/format\.ts|\/locales\/phone-number\.ts|\/web\/(?:ui\/(?:notices|use-now)|features\/errors\/stale-notice)\.|\/icons\/(?:copy|rotate-ccw-clock)\.m?js|\/build\/modern\/useSuspenseInfiniteQuery\.js/,
      priority: 3.8,
    },
    { name: "home", test: /\/web\/routes\/flex\/dashboard\.tsx\?tsr-split/, priority: 3.5 },
    // The dashboard's parts beneath its first card, and its rare messages: after its first paint.
    {
      name: HOME_REST,
      test: /\/web\/(?:features\/(?:dashboard\/(?:announcements|earnings-card|feed|next-block|today-summary)\.tsx|rewards\/(?:points-card|reward-labels)|raffle\/raffle-won)|api\/queries\/(?:raffles|rewards))/,
      priority: 3.45,
    },
    // A driver's screens' rare parts: few lines each, which together are worth a file.
    {
      name: "rare",
      test: /\/web\/(?:features\/(?:arrival\/arrived-frame|linking\/selfie-frame|payments\/same-again-link|spots\/(?:waiting-spot|spot-card|labels)|invitations\/friend-phone)|ui\/(?:sandboxed-frame|titled-section)|api\/queries\/(?:arrival|saved-cards|spots))\./,
      priority: 3.42,
    },
    // The calls of a sign-in by passkey, which login, profile and few others need.
    { name: "passkeys", test: /\/web\/api\/session\/passkey\.ts/, priority: 3.41 },
    // Starts on every screen, soon after the first paint.
    { name: "lifecycle", test: /\/web\/page\/app-lifecycle\.tsx/, priority: 3.4 },
    {
      name: "forms",
      test: /@tanstack\/(?:react-)?(?:form|pacer|devtools)|\/web\/ui\/form\//,
      minShareCount: 2,
      priority: 3,
    },
    { name: "toasts", test: /node_modules\/sonner/, minShareCount: 2, priority: 4 },
    // Modules that nearly every screen needs, and that would be many small files.
    { name: "common", minShareCount: 5, priority: 2 },
    {
      name: "shared",
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 120_000,
      priority: 1,
    },
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

const SHAPES = /\/(?:worker\/contract|db\/shapes)\/[\w/-]+\.ts$/;
/** A shape with checks, or of exactly one kind: calls that may do anything as far as a bundler knows. */
const UNMARKED = /(?<![\w.)])(?:(?:z\.\w+\([^()]*\)|\w+)\.check|z\.xor)\(/g;

/** Lets the bundler leave out shapes that the page doesn't read, such as what only the server parses. */
export function withoutUnusedShapes(): Plugin {
  return {
    name: "without-unused-shapes",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: SHAPES },
      handler: (code) => ({ code: code.replaceAll(UNMARKED, "/*@__PURE__*/ $&"), map: null }),
    },
  };
}
