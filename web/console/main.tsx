import "./console-language.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "../api/client/query-client.ts";
import { ConsoleShell } from "./shell.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("ops.html has no #root");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ConsoleShell />
    </QueryClientProvider>
  </StrictMode>,
);
