import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { configQuery, statusQuery } from "../../../web/api/queries/user.ts";
import { clearDriverQueries, clearFailedQueries } from "../../../web/features/session/use-restore-session.ts";

it("forgets a driver's data, asks anew for what is shown, and keeps what is everybody's", () => {
  const queryClient = new QueryClient();
  const keys = [["rewards"], ["blocks"], configQuery.queryKey, statusQuery.queryKey];
  for (const queryKey of keys) queryClient.setQueryData(queryKey, "of Ana");
  let asked = 0;
  const queryFn = () => {
    asked += 1;
    return new Promise<string>(() => {});
  };
  const shown = new QueryObserver(queryClient, { queryKey: ["blocks"], queryFn, staleTime: Infinity });
  const unsubscribe = shown.subscribe(() => undefined);
  clearDriverQueries(queryClient);
  expect(shown.getCurrentResult()).toMatchObject({ data: undefined, isFetching: true });
  const kept = queryClient
    .getQueryCache()
    .getAll()
    .map(({ queryKey, state: { data } }) => [queryKey, data]);
  expect(kept).toEqual([
    [["blocks"], undefined],
    [configQuery.queryKey, "of Ana"],
    [statusQuery.queryKey, "of Ana"],
  ]);
  expect(asked).toBe(1);
  unsubscribe();
});

it("forgets at a sign-in what failed before, unless it is shown", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queryClient.setQueryData(["answered"], 1);
  const queryFn = () => Promise.reject(new Error("nobody is signed in"));
  const shown = new QueryObserver(queryClient, { queryKey: ["shown"], queryFn });
  const unsubscribe = shown.subscribe(() => undefined);
  for (const queryKey of [["shown"], ["failed"]])
    await queryClient.fetchQuery({ queryKey, queryFn }).catch(() => undefined);
  clearFailedQueries(queryClient);
  const kept = queryClient
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);
  expect(kept).toEqual([["answered"], ["shown"]]);
  unsubscribe();
});
