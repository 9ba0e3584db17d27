import { resolve } from "node:path";
import type { Rolldown, Plugin } from "vite";
import { HOME_REST } from "../early/page-root.ts";

const WEB = resolve(import.meta.dirname, "..");

/** The page. */
const input = { index: resolve(WEB, "index.html") };

/** Where icons of these names are. */
const icons = (...names: readonly string[]) =>
  names.map((name) => `node_modules/lucide-react/dist/esm/icons/${name}.mjs`);

/** Modules that are put into a chunk by their names. */
export const NAMED_MODULES = {
  /** Code that runs before the rest has loaded. */
  start: ["web/early/page-root.ts", "web/early/early-calls.ts"],
  /** Code that nearly every screen needs, the dashboard's first card among them: with the page's own. */
  app: [
    "locales/format.ts",
    "locales/phone-number.ts",
    "web/api/session/passkey-hints.ts",
    "web/features/errors/stale-notice.tsx",
    "web/features/filters/gap-messages.ts",
    "web/features/health/others-room.tsx",
    "web/features/language/format.ts",
    "web/features/linking/selfie-button.tsx",
    "web/features/live/connection-notices.tsx",
    "web/features/live/use-live.ts",
    "web/features/live/use-system-switch.ts",
    "web/features/offers/mode-messages.ts",
    "web/features/offers/offer-place.ts",
    "web/features/payments/service-time.tsx",
    "web/features/session/home-path.ts",
    "web/features/session/use-user.ts",
    "web/features/spots/spot-notice.tsx",
    "web/ui/inputs/switch.tsx",
    "web/ui/notices.tsx",
    "web/ui/reload-button.tsx",
    "web/ui/use-now.ts",
    "worker/contract/voice.ts",
    ...icons("circle-exclamation-point", "ellipsis", "info", "triangle-exclamation-point"),
  ],
  /** The dashboard's parts beneath its first card, and its rare messages: after its first paint. */
  [HOME_REST]: [
    "web/features/dashboard/announcements.tsx",
    "web/features/dashboard/earnings-card.tsx",
    "web/features/dashboard/feed.tsx",
    "web/features/dashboard/next-block.tsx",
    "web/features/dashboard/today-summary.tsx",
    "web/features/raffle/raffle-won.tsx",
    "web/features/rewards/points-card.tsx",
  ],
  /**
   * Parts of those that other screens have, too, which don't load the rest. A chunk whose name begins like this needs no
   * other messages than the dashboard's (`web/early/message-texts.ts`), so these modules import none of another chunk.
   */
  [`${HOME_REST}-shared`]: [
    "db/shapes/group-by.ts",
    "db/shapes/work/apply-filter-change.ts",
    "web/features/arrival/arrived-button.tsx",
    "web/features/arrival/shown-obstacle.ts",
    "web/features/blocks/offer-sheet.tsx",
    "web/features/language/capitalize.ts",
    "web/features/offers/blocks-by-day.ts",
    "web/features/offers/feed-item.ts",
    "web/features/offers/outcome-mark.tsx",
    "web/features/offers/question-messages.ts",
    "web/features/offers/reason-messages.ts",
    "web/features/offers/rule-name.ts",
    "web/features/offers/won-block-status.ts",
    "web/ui/use-is-wide.ts",
    "worker/contract/money/invitations.ts",
    ...icons("circle-check", "map-pin", "megaphone", "minus", "navigation", "radar", "ticket", "wallet"),
  ],
  [`${HOME_REST}-rewards`]: [
    "db/shapes/money/raffle.ts",
    "web/api/queries/rewards.ts",
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
    "web/ui/form/typed-fields.ts",
    "web/ui/inputs/field.tsx",
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
  { name: "demo", test: /\/web\/features\/demo\// },
  { name: "visitor", test: /\/web\/features\/(?:chat|landing|support)\// },
  {
    name: "account",
    test: /\/web\/(?:api\/session|features\/(?:account|notifications|passkeys|profile|recording))\//,
  },
  { name: "work", test: /\/web\/features\/(?:arrival|blocks|filters|hours|linking|offers)\// },
  { name: "shared" },
];

/** Without the fields and calls of a sign-in, which need the library of forms. */
const NOT_ACCOUNT = /^(?!.*\/web\/(?:features\/account|api\/session)\/)/;

/**
 * Few chunks instead of one per shared module: what every screen needs, the forms' library with what only forms use,
 * and the rest by subject.
 */
const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: "start", test: moduleOf("start", /vite\/preload-helper|rolldown\/runtime/), priority: 10 },
    // Without what runs when it is loaded and imports the rest.
    {
      name: "app",
      tags: ["$initial"],
      test: /^(?!.*\/web\/index\.html)/,
      priority: 9,
    },
    { name: "home", test: /\/web\/routes\/flex\/dashboard\.tsx\?tsr-split/, priority: 8 },
    // Before the rare parts, which would take icons of theirs with them.
    ...([`${HOME_REST}-shared`, `${HOME_REST}-rewards`] as const).map((name) => ({
      name,
      test: moduleOf(name),
      priority: 7,
    })),
    { name: "rare", test: moduleOf("rare"), priority: 7 },
    { name: HOME_REST, test: moduleOf(HOME_REST), priority: 6 },
    { name: "passkeys", test: moduleOf("passkeys"), priority: 5 },
    { name: "lifecycle", test: moduleOf("lifecycle"), priority: 4 },
    {
      name: "forms",
      test: /@tanstack\/(?:react-)?(?:form|pacer|devtools)|\/web\/(?:ui\/form|features\/account\/field)/,
      minShareCount: 2,
      priority: 3,
    },
    { name: "toasts", test: /node_modules\/sonner/, minShareCount: 2, priority: 9 },
    // Modules that nearly every screen needs, and that would be many small files.
    { name: "common", test: NOT_ACCOUNT, minShareCount: 5, priority: 2 },
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

/** Puts modules that only screens import into the page's own chunk: the module that starts the page imports them last. */
export function modulesOfApp(): Plugin {
  const imports = NAMED_MODULES.app.map((file) => `import ${JSON.stringify(resolve(WEB, "..", file))};`);
  return {
    name: "modules-of-app",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /\/web\/page\/main\.tsx$/ },
      handler: (code) => ({ code: [code, ...imports].join("\n"), map: null }),
    },
  };
}

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
