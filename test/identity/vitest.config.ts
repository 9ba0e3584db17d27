import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { defineConfig } from "vitest/config";
import * as schema from "../../db/identity-schema.ts";
import { root, shared } from "../unit.config.ts";

/** The tables as the schema has them, in the words that the migration will have too. */
const TABLES = await generateSQLiteMigration(
  await generateSQLiteDrizzleJson({}),
  await generateSQLiteDrizzleJson({ ...schema }),
);

export default defineConfig({
  root,
  plugins: [
    cloudflareTest({
      miniflare: {
        compatibilityDate: "2026-10-01",
        compatibilityFlags: ["nodejs_compat"],
        d1Databases: ["DB"],
        bindings: { TABLES },
      },
    }),
  ],
  test: {
    ...shared,
    name: "identity",
    include: ["test/identity/**/*.test.ts"],
    fsModuleCache: false,
    // The clients come in module formats that the runtime can't load: they are bundled, unmodified.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            "amazon-cognito-identity-js",
            "aws-amplify",
            "aws-amplify/auth",
            "aws-amplify/auth/cognito",
            "@aws-sdk/client-cognito-identity-provider",
            "cognito-srp-helper",
          ],
        },
      },
    },
  },
});
