import type * as z from "zod";
import { isSupportedCurrency, MIN_CHARGE_CENTS } from "../../db/shapes/money/currencies.ts";
import { PART_OF } from "./setting-groups.ts";
import type { settingShapes } from "./setting-shapes.ts";
import { SETTING_GROUPS, type SettingName } from "./setting-words.ts";

/** The settings' values, each by itself. */
export type GivenSettings = { [Name in SettingName]: z.output<(typeof settingShapes)[Name]> };

/** Reports a setting that doesn't fit the others: `NAME words`. */
type Refuse = (name: SettingName, words: string) => void;

/** Checks what settings need of each other. `isSound`: whether a setting by itself is well-formed. */
export function checkTogether(
  given: GivenSettings,
  { refuse, isSound }: { refuse: Refuse; isSound: (name: SettingName) => boolean },
): void {
  const isWhole = (part: string) =>
    Object.entries(PART_OF).every(([name, of]) => of !== part || isSound(name as SettingName));
  for (const group of SETTING_GROUPS) {
    if (!group.every(isSound)) continue;
    const set = group.filter((name) => given[name] !== null);
    for (const name of set.length > 0 ? group : []) {
      if (given[name] === null) refuse(name, `is missing, and ${set.join(", ")} can't do without it`);
    }
  }
  if (isWhole("sign_in")) {
    for (const name of ["COGNITO_POOL_ID", "COGNITO_CLIENT_ID"] as const) {
      if (given.IDENTITY === "cognito" && given[name] === null)
        refuse(name, "is missing, and IDENTITY=cognito can't do without it");
      // The embedded pool would take the drivers of the other one for newcomers.
      if (given.IDENTITY === null && given[name] !== null)
        refuse("IDENTITY", `is missing, and ${name} can't do without it`);
    }
  }
  if (isWhole("cards")) checkCards(given, { refuse, isCurrencyKnown: isSound("CURRENCY") });
  if (isWhole("console")) checkConsole(given, { refuse, isAddressKnown: isSound("PUBLIC_URL") });
  if (isWhole("alerts")) {
    const needsKey = given.ALERT_FORM === "webhook" || given.ALERT_FORM === "pagerduty";
    if (given.ALERT_URL !== null && needsKey && given.ALERT_KEY === null)
      refuse("ALERT_KEY", `is missing, and ALERT_FORM=${given.ALERT_FORM} can't do without it`);
  }
  if (isWhole("chat") && given.CHATWOOT_API_TOKEN !== null && given.CHATWOOT_URL === null)
    refuse("CHATWOOT_URL", "is missing, and CHATWOOT_API_TOKEN can't do without it");
  if (isWhole("recording")) {
    const parts = { RECORDING_TAG: given.RECORDING_TAG, RECORDING_ORIGINS: given.RECORDING_ORIGINS[0] };
    for (const [name, value] of Object.entries(parts)) {
      if (value && given.RECORDING_SCRIPT_URL === null)
        refuse("RECORDING_SCRIPT_URL", `is missing, and ${name} can't do without it`);
    }
  }
  if (isSound("MASTER_KEYS") && isSound("LOST_MASTER_KEYS")) {
    const { ids } = given.MASTER_KEYS;
    for (const id of given.LOST_MASTER_KEYS.filter((lost) => ids.includes(lost)))
      refuse("LOST_MASTER_KEYS", `contradicts MASTER_KEYS, which still has the key ${id}`);
  }
}

function checkCards(
  given: GivenSettings,
  { refuse, isCurrencyKnown }: { refuse: Refuse; isCurrencyKnown: boolean },
): void {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = given;
  if (secret && publishable && modeOf(secret) !== modeOf(publishable))
    refuse(
      "STRIPE_PUBLISHABLE_KEY",
      "contradicts STRIPE_SECRET_KEY: one is for tests, the other for live cards",
    );
  if (isCurrencyKnown && isSupportedCurrency(given.CURRENCY)) {
    if (given.CURRENCY !== "USD" && given.LIST_PRICES === null)
      refuse("LIST_PRICES", `is missing, and CURRENCY=${given.CURRENCY} can't do without it`);
    const least = MIN_CHARGE_CENTS[given.CURRENCY];
    if (Object.values(given.LIST_PRICES ?? {}).some((cents) => cents < least))
      refuse("LIST_PRICES", `is malformed: a price is less than a card can be charged`);
  }
  if (given.TAX_RATE > 0 && given.TAX_NAME === null)
    refuse("TAX_NAME", "is missing, and TAX_RATE can't do without it");
  if (given.TAX_RATE === 0 && given.TAX_NAME !== null)
    refuse("TAX_RATE", "is missing, and TAX_NAME can't do without it");
}

function checkConsole(
  given: GivenSettings,
  { refuse, isAddressKnown }: { refuse: Refuse; isAddressKnown: boolean },
): void {
  if (given.OPS_URL !== null && isAddressKnown && hostOf(given.OPS_URL) === hostOf(given.PUBLIC_URL))
    refuse("OPS_URL", "contradicts PUBLIC_URL, which is on the same host: drivers would find nothing there");
  if (given.ACCESS_TEAM_DOMAIN !== null && given.OPS_OWNERS.length === 0)
    refuse("OPS_OWNERS", "is missing, and ACCESS_TEAM_DOMAIN can't do without it");
  if (given.ACCESS_TEAM_DOMAIN === null && given.OPS_OWNERS.length > 0)
    refuse("ACCESS_TEAM_DOMAIN", "is missing, and OPS_OWNERS can't do without it");
  if (given.OPS_SUPPORT.some((one) => given.OPS_OWNERS.includes(one)))
    refuse("OPS_SUPPORT", "contradicts OPS_OWNERS, which names one of them too");
}

function hostOf(address: string): string {
  return new URL(address).host;
}

/** Whether a key of the card processor is for tests or for live cards. */
function modeOf(key: string): string | undefined {
  return key.split("_")[1];
}

/** The user pool that signs drivers in, and what its tokens must carry. */
type IdentityConfig = {
  /** `none`: its settings are malformed, and nobody signs in. */
  kind: "embedded" | "cognito" | "none";
  /** Where the page's Cognito client posts to; a path for the embedded pool. */
  endpoint: string;
  issuer: string;
  poolId: string;
  clientId: string;
};

/** Part of every SRP password verifier: changing it would lock everyone out. */
const EMBEDDED_POOL_ID = "local_Jornada1";
const EMBEDDED_CLIENT_ID = "jornadaweb";

/** In place of a user pool; its id is well-formed, and no pool has it. */
export const NO_POOL: IdentityConfig = {
  kind: "none",
  endpoint: "/identity/",
  issuer: "",
  poolId: "none_0",
  clientId: "",
};

export function embeddedPool(publicUrl: string): IdentityConfig {
  const issuer = `${publicUrl}/identity/${EMBEDDED_POOL_ID}`;
  return {
    kind: "embedded",
    endpoint: "/identity/",
    issuer,
    poolId: EMBEDDED_POOL_ID,
    clientId: EMBEDDED_CLIENT_ID,
  };
}

export function cognitoPool(poolId: string, clientId: string): IdentityConfig {
  const region = poolId.slice(0, poolId.lastIndexOf("_"));
  const endpoint = `https://cognito-idp.${region}.amazonaws.com/`;
  return { kind: "cognito", endpoint, issuer: `${endpoint}${poolId}`, poolId, clientId };
}
