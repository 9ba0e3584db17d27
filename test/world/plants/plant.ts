import type { Scene } from "../scenes.ts";

/** A reverted fix: text of the product and its replacement. */
export type Plant = {
  name: string;
  patches: readonly { file: string; find: string; replace: string }[];
  /** The scene that shows it. */
  scene?: Scene;
  /** The invariant and the cause under which the world must find it. */
  expect: RegExp;
};
