/**
 * The oldest browsers that run the page, by the names of MDN's compatibility data: those of March 2023, which the styles
 * need (tailwindcss 4), and the Firefox that they need. The compiler knows no newer function of the language (`lib` in the
 * page's `tsconfig.json`), and a story runs the page without what any of these lacks.
 */
export const OLDEST_BROWSERS = {
  chrome: 111,
  chrome_android: 111,
  edge: 111,
  firefox: 128,
  firefox_android: 128,
  safari: 16.4,
  safari_ios: 16.4,
  samsunginternet_android: 22,
} as const;

const { chrome, edge, firefox, safari, safari_ios: ios } = OLDEST_BROWSERS;

/** The same for the bundler, which knows five of them. */
export const BUILD_TARGET = Object.entries({ chrome, edge, firefox, safari, ios }).map(
  ([name, version]) => `${name}${version}`,
);
