import { generateSources } from "../../../web/build/generated-sources.ts";

/** Global setup of the page's suites, so that no build is needed. */
export const setup = generateSources;
