import type { Scene } from "../scenes.ts";

/** A mending taken out: text of the product and what stands in its place. */
export type Plant = {
  name: string;
  patches: readonly { file: string; find: string; replace: string }[];
  /** The scene that shows it. */
  scene?: Scene;
  /** The invariant and the cause under which the world must find it. */
  expect: RegExp;
};
