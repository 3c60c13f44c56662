import type { ViteUserConfig } from "vitest/config";

const SLOW = "**/*.slow.test.ts";
const BUILT = /\/packages\/[^/]+\/dist\//;

const config: ViteUserConfig = {
  test: {
    // `@pml/*` is the built package, loaded by Node as a user would load it.
    server: { deps: { external: [BUILT] } },
    // What is waited for comes; how soon is up to the machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["packages/*/{src,test}/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [SLOW],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: [SLOW],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
};

export default config;
