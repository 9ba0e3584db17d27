import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { bundledLibraries, root, shared } from "../unit.config.ts";

export default defineConfig({
  root,
  plugins: [
    cloudflareTest({
      miniflare: {
        compatibilityDate: "2026-10-01",
        compatibilityFlags: ["nodejs_compat"],
        d1Databases: ["DB"],
        bindings: { MIGRATIONS: await readD1Migrations(`${root}/db/migrations`) },
      },
    }),
  ],
  test: {
    ...shared,
    name: "identity",
    isolate: false,
    include: ["test/identity/**/*.test.ts"],
    setupFiles: ["./test/support/kept-logs.ts"],
    fsModuleCache: false,
    // workerd can't load the clients' module formats, so they are bundled, otherwise unmodified.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            ...bundledLibraries,
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
