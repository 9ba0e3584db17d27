import { createStore } from "@tanstack/react-store";

/** How many points the driver wants to use: it outlives a change of plan and of language. */
export const pointsStore = createStore(0);
