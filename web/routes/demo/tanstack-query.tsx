import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { DemoPage } from "../../features/demo/demo-page.tsx";
import { EXAMPLE_EVENING } from "../../features/landing/example-evening.ts";
import { ExampleLine } from "../../features/landing/example-line.tsx";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";

export const Route = createFileRoute("/demo/tanstack-query")({ component: QueryDemo });

/** How many lines the feed begins with. */
const FIRST = 3;

/** How many offers of the evening there are by now: one more at each look. */
const seenQuery = queryOptions({
  queryKey: ["demo", "seen"],
  queryFn: ({ client }: { client: QueryClient }) => {
    const known = client.getQueryData<number>(["demo", "seen"]) ?? FIRST - 1;
    return Promise.resolve(Math.min(known + 1, EXAMPLE_EVENING.length));
  },
  staleTime: Infinity,
});

/** The feed, which asks for the next offer on demand. */
function QueryDemo() {
  const { data: seen = 0, status, refetch, isFetching } = useQuery(seenQuery);
  return (
    <DemoPage title={m.demo_query()} text={m.demo_query_text()} code="web/routes/demo/tanstack-query.tsx">
      <output>{m.demo_query_state({ count: seen, total: EXAMPLE_EVENING.length, state: status })}</output>
      <ul className="-mx-3 divide-y divide-line">
        {EXAMPLE_EVENING.slice(0, seen)
          .toReversed()
          .map((offer) => (
            <ExampleLine key={EXAMPLE_EVENING.indexOf(offer)} offer={offer} />
          ))}
      </ul>
      <Button
        variant="primary"
        disabled={isFetching || seen === EXAMPLE_EVENING.length}
        onClick={() => void refetch()}
      >
        {m.demo_query_again()}
      </Button>
    </DemoPage>
  );
}
