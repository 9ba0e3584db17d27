import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { bundledLibraries, root, shared } from "../unit.config.ts";

const files = ["test/identity/**/*.test.ts"];

/** Tests that need behavior of workerd and of a bundled client, and the longest of those of other clients. */
const WORKERD_ONLY = [
  "test/identity/sdk.test.ts",
  "test/identity/clients/amplify.test.ts",
  "test/identity/clients/cognito-identity-js-account.test.ts",
];

/**
 * The tests of the user pool in Node, where a file starts in a tenth of the time, and signing keys are made once for all runs.
 */
export const identitySuite = {
  root,
  resolve: { alias: { "cloudflare:workers": `${root}/test/identity/workers-in-node.ts` } },
  test: {
    ...shared,
    name: "identity",
    isolate: false,
    include: files,
    exclude: WORKERD_ONLY,
    setupFiles: ["./test/support/kept-logs.ts"],
  },
};

/** The same in workerd, with those that only run there. */
export const identityInWorkerd = async (name: string, include = files) => ({
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
    name,
    isolate: false,
    include,
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
