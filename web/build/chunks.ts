import { resolve } from "node:path";
import type { Rolldown, Plugin } from "vite";
import { HOME_REST } from "../early/page-root.ts";

const WEB = resolve(import.meta.dirname, "..");

/** The page. */
const input = { index: resolve(WEB, "index.html") };

/** Modules of our own that are put into a chunk by their names. */
export const NAMED_MODULES = {
  /** Code that runs before the rest has loaded. */
  start: ["web/early/page-root.ts", "web/early/early-calls.ts"],
  /** Code that the visitors' forms share with the dashboard, and the dashboard with all that it needs. */
  base: [
    "locales/format.ts",
    "locales/phone-number.ts",
    "web/features/errors/stale-notice.tsx",
    "web/features/language/format.ts",
    "web/ui/notices.tsx",
    "web/ui/use-now.ts",
  ],
  /** The dashboard's parts beneath its first card, and its rare messages: after its first paint. */
  [HOME_REST]: [
    "web/api/queries/rewards.ts",
    "web/features/dashboard/announcements.tsx",
    "web/features/dashboard/earnings-card.tsx",
    "web/features/dashboard/feed.tsx",
    "web/features/dashboard/next-block.tsx",
    "web/features/dashboard/today-summary.tsx",
    "web/features/raffle/raffle-won.tsx",
    "web/features/rewards/points-card.tsx",
    "web/features/rewards/reward-labels.ts",
  ],
  /** A driver's screens' rare parts: few lines each, which together are worth a file. */
  rare: [
    "web/api/queries/arrival.ts",
    "web/api/queries/saved-cards.ts",
    "web/api/queries/service-time.ts",
    "web/api/queries/spots.ts",
    "web/features/arrival/arrived-frame.tsx",
    "web/features/invitations/friend-phone.ts",
    "web/features/linking/selfie-frame.tsx",
    "web/features/payments/same-again-link.tsx",
    "web/features/spots/labels.ts",
    "web/features/spots/spot-card.tsx",
    "web/features/spots/waiting-spot.tsx",
    "web/ui/sandboxed-frame.tsx",
    "web/ui/titled-section.tsx",
  ],
  /** The calls of a sign-in by passkey, which login, profile and few others need. */
  passkeys: ["web/api/session/passkey.ts"],
  /** Starts on every screen, soon after the first paint. */
  lifecycle: ["web/page/app-lifecycle.tsx"],
} as const;

/** A module of that chunk, or of a library that belongs to it. */
function moduleOf(chunk: keyof typeof NAMED_MODULES, library?: RegExp): RegExp {
  const own = NAMED_MODULES[chunk].map((file) => `/${file}`.replaceAll(".", "\\."));
  return new RegExp([...own, ...(library ? [library.source] : [])].join("|"));
}

/**
 * The groups of modules that several screens share, by subject; the first that a module belongs to takes it with all that
 * it needs. By the bundler's own `entriesAwareMergeThreshold` the files of one commit differ from folder to folder
 * (rolldown issue 10886).
 */
const SHARED: readonly { name: string; test?: RegExp }[] = [
  { name: "small", test: /\/lucide-react\/dist\/esm\/icons\/|\/web\/ui\// },
  { name: "visitor", test: /\/web\/features\/(?:chat|demo|landing|support)\// },
  { name: "account", test: /\/web\/features\/(?:account|notifications|passkeys|profile|recording)\// },
  { name: "work", test: /\/web\/features\/(?:arrival|blocks|filters|hours|linking|offers)\// },
  { name: "shared" },
];

/**
 * Few chunks instead of one per shared module: what every screen needs, the forms' library with what only forms use,
 * and the rest by subject.
 */
const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: "start", test: moduleOf("start", /vite\/preload-helper|rolldown\/runtime/), priority: 5 },
    // Without what runs when it is loaded and imports the rest.
    {
      name: "app",
      tags: ["$initial"],
      test: /^(?!.*\/web\/index\.html)/,
      priority: 4,
    },
    {
      name: "base",
      test: moduleOf(
        "base",
        /\/icons\/(?:copy|rotate-ccw-clock)\.m?js|\/build\/modern\/useSuspenseInfiniteQuery\.js/,
      ),
      priority: 3.8,
    },
    { name: "home", test: /\/web\/routes\/flex\/dashboard\.tsx\?tsr-split/, priority: 3.5 },
    { name: HOME_REST, test: moduleOf(HOME_REST), priority: 3.45 },
    { name: "rare", test: moduleOf("rare"), priority: 3.42 },
    { name: "passkeys", test: moduleOf("passkeys"), priority: 3.41 },
    { name: "lifecycle", test: moduleOf("lifecycle"), priority: 3.4 },
    {
      name: "forms",
      test: /@tanstack\/(?:react-)?(?:form|pacer|devtools)|\/web\/ui\/form\//,
      minShareCount: 2,
      priority: 3,
    },
    { name: "toasts", test: /node_modules\/sonner/, minShareCount: 2, priority: 4 },
    // Modules that nearly every screen needs, and that would be many small files.
    { name: "common", minShareCount: 5, priority: 2 },
    ...SHARED.map(({ name, test }) => ({ name, test, minShareCount: 2, priority: 1 })),
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
