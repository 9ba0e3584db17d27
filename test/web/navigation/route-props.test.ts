import { isValidElement, type ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { filterChange } from "../../../db/shapes/work/filter-change.ts";
import { Route as ArrivedRoute } from "../../../web/routes/arrived.tsx";
import { Route as FiltersRoute } from "../../../web/routes/flex/filters.tsx";

afterEach(() => void vi.restoreAllMocks());

/** The screen that a route shows, by what it is given. */
function propsOf<Props>({ options }: { options: object }): Props {
  const { component } = options as { component: () => ReactNode };
  const screen = component();
  if (!isValidElement<Props>(screen)) throw new Error("the route shows no screen");
  return screen.props;
}

it("a proposed change goes out of the address once it is in the draft: a reload doesn't propose it anew", () => {
  const navigate = vi.fn<() => Promise<void>>(async () => {});
  const change = filterChange.parse({ kind: "length", warehouseId: null, minutes: 180 });
  vi.spyOn(FiltersRoute, "useNavigate").mockReturnValue(navigate);
  const search = vi.spyOn(FiltersRoute, "useSearch").mockReturnValue({ change });
  const read = () => propsOf<{ proposed: unknown; onProposed: () => void }>(FiltersRoute);
  const { proposed, onProposed } = read();
  expect([proposed, navigate.mock.calls]).toEqual([change, []]);
  onProposed();
  expect(navigate.mock.calls).toEqual([[{ search: {}, replace: true, resetScroll: false }]]);
  search.mockReturnValue({ change: undefined });
  expect(read().proposed).toBeNull();
});

it("an arrival has the token of its link, if any, and is at once only where the link says so", () => {
  const search = vi.spyOn(ArrivedRoute, "useSearch");
  const read = (token?: string, instant?: 1) => {
    search.mockReturnValue({ token, instant });
    return propsOf(ArrivedRoute);
  };
  expect([read(), read("token"), read("token", 1), read(undefined, 1)]).toEqual([
    { token: null, instant: false },
    { token: "token", instant: false },
    { token: "token", instant: true },
    { token: null, instant: true },
  ]);
});
