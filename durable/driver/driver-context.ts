import type { Deps } from "../deps.ts";
import type { DriverState } from "../engine/types.ts";
import type { ApplyEvent } from "./effects.ts";
import type { Store } from "./storage/store.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";

/** What the parts of the object have of it. Who owns it and where its machine stands change: both are asked for. */
export type DriverContext = {
  deps: Deps;
  store: Store;
  owner: () => DriverOwner | null;
  state: () => DriverState;
  apply: ApplyEvent;
};
