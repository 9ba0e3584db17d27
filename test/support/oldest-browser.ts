import compat from "@mdn/browser-compat-data/forLegacyNode";
import type { CompatStatement, Identifier } from "@mdn/browser-compat-data/types";
import { OLDEST_BROWSERS } from "../../web/build/oldest-browsers.ts";

/** The path of a function, property or interface in MDN's data, such as `["Promise", "withResolvers"]`. */
type FeaturePath = readonly string[];

/** Lists the features of the language and of the platform that at least one of the oldest browsers lacks. */
export function newerFeatures(): FeaturePath[] {
  const { builtins = {} } = compat.javascript;
  return [...newerIn(builtins, []), ...newerIn(builtins["Intl"] ?? {}, ["Intl"]), ...newerIn(compat.api, [])];
}

/** Those of some owners, and of their members. */
function newerIn(owners: Identifier, above: FeaturePath): FeaturePath[] {
  return namedIn(owners).flatMap(([name, owner]) =>
    isNewer(owner.__compat)
      ? [[...above, name]]
      : namedIn(owner)
          .filter(([, member]) => isNewer(member.__compat))
          .map(([member]) => [...above, name, member]),
  );
}

function namedIn(owner: Identifier): [string, Identifier][] {
  return Object.keys(owner).flatMap((name) => {
    const named = name === "__compat" ? undefined : owner[name];
    return named ? [[name, named]] : [];
  });
}

function isNewer(statement: CompatStatement | undefined): boolean {
  if (!statement) return false;
  return Object.entries(OLDEST_BROWSERS).some(([browser, oldest]) => {
    const supports = [statement.support[browser as keyof typeof OLDEST_BROWSERS] ?? []].flat();
    return !supports.some(
      ({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }) =>
        !flags &&
        !prefix &&
        !other &&
        versionOf(added) <= oldest &&
        !(removed && versionOf(removed) <= oldest),
    );
  });
}

/** Unknown ones, and those of no release, are newer than any. */
function versionOf(version: string | false | null | undefined): number {
  const number = typeof version === "string" ? Number.parseFloat(version.replace("≤", "")) : Number.NaN;
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

/**
 * Takes features out of a page, before its code runs.
 * @returns those that it had
 */
export function removeFeatures(paths: readonly FeaturePath[]): string[] {
  const removed: string[] = [];
  const remove = (owner: unknown, name: string): boolean =>
    Object(owner) === owner &&
    Object.hasOwn(owner as object, name) &&
    Reflect.deleteProperty(owner as object, name);
  for (const path of paths) {
    const named = path.at(-1) ?? "";
    const owner = path
      .slice(0, -1)
      .reduce<unknown>((object, name) => (object as Record<string, unknown> | undefined)?.[name], globalThis);
    const name = named.replace(/_static$/, "");
    const prototype = (owner as { prototype?: unknown } | undefined)?.prototype;
    const owners = named === name ? [prototype, owner] : [owner];
    // Members of the window are its own.
    if (path[0] === "Window") owners.push(globalThis);
    if (owners.map((each) => remove(each, name)).some(Boolean)) removed.push(path.join("."));
  }
  return removed;
}
