import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/**
 * A part that its screen can do without: where its code, styles or texts can't be fetched, `Instead` stands there.
 * Caught around `load`, since the build makes an import wait for styles and texts, whose failure a handler of the
 * import itself would miss.
 */
export function lazyOptional<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Instead: ComponentType<Props> = Nothing,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      return { default: Instead };
    }
  });
}

function Nothing(): null {
  return null;
}
