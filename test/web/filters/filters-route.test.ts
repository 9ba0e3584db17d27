import { expect, it } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { Route } from "../../../web/routes/flex/filters.tsx";

/** Loads the screen's data where the warehouses can't be read. */
async function loadWithout(error: RequestError): Promise<unknown> {
  const ensureQueryData = async (query: object) => {
    if (query === warehousesQuery) throw error;
  };
  const { loader } = Route.options;
  if (typeof loader !== "function") throw new Error("the screen loads nothing");
  return loader({ context: { queryClient: { ensureQueryData } } } as never);
}

it("opens the filters without the warehouses where these can't be read", async () => {
  await expect(loadWithout(new RequestError(0, "network"))).resolves.toBeUndefined();
});

it("doesn't open the filters of an account that isn't linked", async () => {
  await expect(loadWithout(new RequestError(409, "not_linked"))).rejects.toMatchObject({
    code: "not_linked",
  });
});
