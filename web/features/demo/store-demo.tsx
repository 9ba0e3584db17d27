import { createStore, useSelector } from "@tanstack/react-store";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { DemoPage } from "./demo-page.tsx";

const countStore = createStore(0);
const doubledStore = createStore(() => countStore.state * 2);

/** A count, and a store derived from it. */
export function StoreDemo() {
  const count = useSelector(countStore);
  const doubled = useSelector(doubledStore);
  return (
    <DemoPage title={m.demo_store()}>
      <output className="figures">{m.demo_store_count({ count, doubled })}</output>
      <Button variant="primary" onClick={() => countStore.setState((before) => before + 1)}>
        {m.demo_store_add()}
      </Button>
    </DemoPage>
  );
}
