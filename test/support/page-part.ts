import { MutationObserver, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { Children, cloneElement, createElement, isValidElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { vi } from "vitest";
import type { Answered } from "./console-part.ts";

type Surroundings = { answered?: readonly Answered[]; path?: string };

/** The HTML of a part of a driver's screen, whose queries have been answered. */
export async function htmlOfPart(
  part: ReactNode,
  { answered = [], path = "/" }: Surroundings = {},
): Promise<string> {
  const queryClient = new QueryClient();
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  return render(part, { queryClient, path });
}

async function render(
  part: ReactNode,
  { queryClient, path }: { queryClient: QueryClient; path: string },
): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  await router.load();
  // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
  const withRouter = createElement(RouterContextProvider, { router, children: part });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, withRouter));
}

/**
 * The changes that a part of a driver's screen can make, in the order in which it declares them, each as a function of what
 * it is given; its buttons, pressed by their names; and the cache that both leave behind. It isn't rendered again.
 */
export async function changesOfPart(part: ReactNode, { answered = [], path = "/" }: Surroundings = {}) {
  const queryClient = new QueryClient();
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  const declared = vi.spyOn(queryClient, "defaultMutationOptions");
  const buttons: Pressable[] = [];
  await render(watched(part, buttons), { queryClient, path });
  const changes = declared.mock.calls.map(([options = {}]) => {
    const observer = new MutationObserver<unknown, Error, unknown>(new QueryClient(), options);
    return (input?: unknown) => observer.mutate(input);
  });
  return {
    changes,
    buttons: buttons.map(nameOf),
    press: (name: string) => {
      const button = buttons.find((button) => nameOf(button) === name);
      if (!button?.onClick) throw new Error(`no button ${name} among ${buttons.map(nameOf).join(", ")}`);
      button.onClick();
    },
    cached: (key: readonly unknown[]) => queryClient.getQueryData(key),
    /** Whether what is cached under a key counts as old, so that a screen that shows it asks anew. */
    isStale: (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated ?? false,
  };
}

type Pressable = { "aria-label"?: string; children?: ReactNode; onClick?: () => void };

function nameOf({ "aria-label": label, children }: Pressable): string {
  return label ?? textOf(children).trim();
}

function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map((child: ReactNode) => textOf(child)).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

/** The same part, which adds its buttons to a list as it is rendered. */
function watched(node: ReactNode, buttons: Pressable[]): ReactNode {
  if (Array.isArray(node)) return Children.map(node, (child: ReactNode) => watched(child, buttons));
  if (!isValidElement<Pressable>(node)) return node;
  const { type, props, key } = node;
  // A class renders what it is given, which here is a boundary's children.
  if (typeof type === "function" && !("getDerivedStateFromError" in type)) {
    // A component of the page, called where React would call it.
    const component = type as (given: object) => ReactNode;
    const Watched = (given: object) => watched(component(given), buttons);
    return createElement(Watched, { ...props, key });
  }
  if (type === "button") buttons.push(props);
  if (typeof props.children === "function") {
    const made = props.children as unknown as (...given: unknown[]) => ReactNode;
    const children = (...given: unknown[]) => watched(made(...given), buttons);
    return cloneElement(node, { children } as object);
  }
  return "children" in props ? cloneElement(node, {}, watched(props.children, buttons)) : node;
}
