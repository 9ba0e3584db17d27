import type { Act } from "../act.ts";
import type { Params } from "../form.ts";
import type { View } from "../views/view.ts";

/** What an operation does with its parameters, and with the id in its address. */
export type Call = (act: Act, params: Params, id: string) => View;

/** What each operation takes. */
export const EXPAND = { expand: "list" } as const;

/** Why money goes back. */
export const REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;
