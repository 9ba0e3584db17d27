import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod/mini";
import { followRecordLanguage } from "./features/language/follow-record-language.ts";
import { LanguageBoundary } from "./features/language/language-boundary.tsx";
import { queryClient } from "./api/query-client.ts";
import { reloadOnMissingChunk } from "./reload-on-missing-chunk.ts";
import { router } from "./router.ts";

// The page's content security policy forbids `eval`, which zod would try first.
config({ jitless: true });

reloadOnMissingChunk(router);
followRecordLanguage(queryClient);
// It fills in what the network hasn't answered yet. The first paint doesn't wait for its code.
void import("./api/offline-cache.ts").then(({ startOfflineCache }) => startOfflineCache(queryClient));
// Nothing in it is needed to show the page.
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
