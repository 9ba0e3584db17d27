import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { PRODUCT_PLACEHOLDER } from "../../../worker/contract/page-address.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { configQuery } from "./user.ts";

export function useProductName(): string {
  return useQuery(configQuery).data?.productName ?? initialProductName();
}

/** The name that the Worker put into the page, until the config is loaded. */
function initialProductName(): string {
  if (typeof document === "undefined") return PRODUCT_PLACEHOLDER;
  return document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? "";
}

/** The config; undefined until it is loaded. */
export function useLoadedConfig(): PublicConfig | undefined {
  const { data } = useQuery(configQuery);
  return useIsHydrated() ? data : undefined;
}

/** For the screens behind the guard, which loads the config. */
export function useConfig(): PublicConfig {
  return useSuspenseQuery(configQuery).data;
}

/** The currency of prices. For the screens behind the guard. */
export function useCurrency(): string {
  return useConfig().currency;
}

/** The support contacts; null until loaded. */
export function useSupport(): PublicConfig["support"] | null {
  return useLoadedConfig()?.support ?? null;
}
