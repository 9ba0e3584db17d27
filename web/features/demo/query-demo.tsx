import { queryOptions, useQuery } from "@tanstack/react-query";
import { health } from "../../../worker/contract/status.ts";
import { parseResponse, request } from "../../api/request.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { DemoPage } from "./demo-page.tsx";

const healthQuery = queryOptions({
  queryKey: ["demo", "health"],
  queryFn: async () => parseResponse(health, await request("/status/health")),
});

/** Fetches the server's health, and again on demand. */
export function QueryDemo() {
  const { data, error, status, refetch, isFetching } = useQuery(healthQuery);
  return (
    <DemoPage title={m.demo_query()}>
      <output>
        {error ? errorMessage(error) : m.demo_query_state({ version: data?.version ?? "–", state: status })}
      </output>
      <Button variant="primary" disabled={isFetching} onClick={() => void refetch()}>
        {m.demo_query_again()}
      </Button>
    </DemoPage>
  );
}
