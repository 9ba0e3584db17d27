import type { Scene } from "../scenes.ts";

/** A reverted fix: text of the product and its replacement. */
export type Plant = {
  name: string;
  patches: readonly { file: string; find: string; replace: string }[];
  /** The scene that shows it. */
  scene?: Scene;
  /** Sought in weeks in which the rules ask first. */
  asks?: boolean;
  /** Sought in weeks in which the driver has limits. */
  isLimited?: boolean;
  /** Sought in evenings of several drivers. */
  isOfFleet?: boolean;
  /** A file of unit tests that finds it in place of the world. */
  test?: string;
  /** The invariant and the cause under which the world must find it, or the name of the test. */
  expect: RegExp;
};
