import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod/mini";
import { LanguageBoundary } from "./features/language/language-boundary.tsx";
import { queryClient } from "./api/query-client.ts";
import { reloadOnMissingChunk } from "./reload-on-missing-chunk.ts";
import { router } from "./router.ts";

// The page's policy forbids code made from strings, which zod would try first.
config({ jitless: true });

reloadOnMissingChunk(router);
// It fills in what the network has not answered yet: the first paint need not wait for its code.
void import("./api/offline-cache.ts").then(({ startOfflineCache }) => startOfflineCache(queryClient));
// Nothing of it is needed for the page to stand there.
addEventListener("load", () => {
  setTimeout(
    () => void import("./app-lifecycle.tsx").then(({ startAppLifecycle }) => startAppLifecycle(router)),
    1000,
  );
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LanguageBoundary>
        <RouterProvider router={router} />
      </LanguageBoundary>
    </QueryClientProvider>
  </StrictMode>,
);
