import { defineConfig } from "vitest/config";

export default defineConfig({
  root: "..",
  test: {
    projects: [
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts", "test/platform/**/*.test.ts"],
          environment: "node",
        },
      },
    ],
  },
});
