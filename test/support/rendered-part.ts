import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createElement, type ReactNode } from "react";
import { onTestFinished } from "vitest";
import type { MeResponse } from "../../worker/contract/console/operators.ts";
import { OperatorContext } from "../../web/console/calls/operator.ts";
import { surround, type Surroundings } from "./surrounded-part.ts";
import "./toasts.ts";

/**
 * A part of a screen in a document, whose queries have been answered: what a driver, or an operator in the console, does
 * there goes through `user`, and what it leaves behind stands in the cache.
 */
export async function renderPart(
  part: ReactNode,
  { operator, ...surroundings }: Surroundings & { operator?: MeResponse } = {},
) {
  const shown = operator ? createElement(OperatorContext, { value: operator }, part) : part;
  const { surrounded, queryClient, history } = await surround(shown, surroundings);
  const { container, unmount } = render(surrounded);
  onTestFinished(() => queryClient.clear());
  return {
    user: userEvent.setup(),
    unmount,
    html: () => container.innerHTML,
    address: () => history.location.href,
    /** Puts into the cache what a later answer says. */
    arrives: (key: readonly unknown[], data: unknown) => void queryClient.setQueryData(key, data),
    /** Asks the server anew, as a poll does. */
    refetch: (key: readonly unknown[]) => queryClient.refetchQueries({ queryKey: key }),
    cached: (key: readonly unknown[]) => queryClient.getQueryData(key),
    /** Whether all that was sent is answered. */
    isIdle: () => queryClient.isMutating() === 0,
    /** Whether what is cached under a key counts as old, so that a screen that shows it asks anew. */
    isStale: (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated ?? false,
  };
}

/** The names of the buttons on the screen, in their order. */
export function buttonNames(): string[] {
  const buttons = screen.queryAllByRole("button");
  const names: string[] = [];
  // The library asks this of buttons that nobody reaches, too.
  const note = (name: string, button: Element) =>
    buttons.includes(button as HTMLElement) && names.push(name.replaceAll(/\s+/gu, " ")) > 0;
  screen.queryAllByRole("button", { name: note });
  return names;
}
