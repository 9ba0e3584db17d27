import { join } from "node:path";
import type { EnvironmentOptions, Plugin } from "vite";
import { bundling } from "./chunks.ts";

/** The languages that the page is built in. Each has its own build, so that a driver loads the words of one. */
export const LANGUAGES = ["en", "es", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

const RUNTIME = /\/web\/messages\/runtime\.js$/;
const UNSET = "export const experimentalStaticLocale = undefined;";

/** The build environment of a language. English has the plain one, which also copies the public files. */
function environmentOf(language: Language): string {
  return language === "en" ? "client" : `client_${language}`;
}

/** The language of a build environment; undefined where it is none of the page's. */
export function languageOf(environment: string): Language | undefined {
  return LANGUAGES.find((language) => environmentOf(language) === environment);
}

/**
 * Builds the page once per language, into one folder: files that hold no words have the same name and content in
 * each. In development there is one page, which decides when it loads.
 */
export function buildPerLanguage(): Plugin {
  return {
    name: "build-per-language",
    apply: "build",
    config({ build }) {
      const outDir = join(build?.outDir ?? "dist", "client");
      const options: EnvironmentOptions = {
        consumer: "client",
        build: { outDir, emptyOutDir: false, copyPublicDir: false, rolldownOptions: bundling },
      };
      const others = LANGUAGES.filter((language) => language !== "en").map(environmentOf);
      return {
        environments: {
          client: { build: { rolldownOptions: bundling } },
          ...Object.fromEntries(others.map((name) => [name, options])),
        },
      };
    },
    buildApp: {
      // After the Worker and the English page, whose build empties the folder.
      order: "post",
      async handler({ build, environments }) {
        for (const language of LANGUAGES) {
          const environment = environments[environmentOf(language)];
          if (environment && !environment.isBuilt) await build(environment);
        }
      },
    },
    applyToEnvironment: ({ name }) => languageOf(name) !== undefined,
    transform: {
      filter: { id: RUNTIME },
      handler(code) {
        const language = languageOf(this.environment.name);
        const fixed = code.replace(
          UNSET,
          `export const experimentalStaticLocale = ${JSON.stringify(language)};`,
        );
        if (fixed === code)
          throw new Error("the messages' runtime no longer has a place for the build's language");
        return { code: fixed, map: null };
      },
    },
  };
}
