import type { Plugin } from "vite";

const SHAPES = /\/(?:worker\/contract|db\/shapes)\/[\w/-]+\.ts$/;
/** A shape with checks: a method's call, which may do anything as far as a bundler knows. */
const CHECKED = /(?<![\w.)])(?:z\.\w+\([^()]*\)|\w+)\.check\(/g;

/** Lets the bundler leave out shapes that the page doesn't read, such as what only the server parses. */
export function withoutUnusedShapes(): Plugin {
  return {
    name: "without-unused-shapes",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: SHAPES },
      handler: (code) => ({ code: code.replaceAll(CHECKED, "/*@__PURE__*/ $&"), map: null }),
    },
  };
}
