import type { Deps } from "../deps.ts";
import type { DriverState } from "../engine/types.ts";
import type { Apply } from "./effects.ts";
import type { Store } from "./store.ts";
import type { Identity } from "./stored.ts";

/** What the parts of the object have of it. Who owns it and where its machine stands change: both are asked for. */
export type Core = {
  deps: Deps;
  store: Store;
  owner: () => Identity | null;
  state: () => DriverState;
  apply: Apply;
};
