import type { Act } from "../act.ts";
import type { Params } from "../form.ts";
import type { View } from "../views/view.ts";

/** Handles an operation, given its parameters and the id in its path. */
export type Call = (act: Act, params: Params, id: string) => View;

/** The parameters and handler of an operation. */
export const EXPAND = { expand: "list" } as const;

/** Reasons for a refund. */
export const REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;
